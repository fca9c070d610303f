import type { EchoData } from '../schemas/messages.ts';
import { echoRules, type EchoRules } from '../simulator/rules/echo.ts';
import { okWithout } from './envelope.ts';
import { member } from '../schemas/values.ts';
import { endpointMutant, mutant, stageMutant, withMembers, type Mutant } from './mutant.ts';

/** Tells of another application every third time. */
function everyThird(other: Partial<EchoData>): EchoRules['data'] {
  let told = 0;
  return (data) => (++told % 3 === 0 ? { ...data, ...other } : data);
}

/** Wrong echoes. */
export const echoMutants: readonly Mutant[] = [
  mutant('echo.status-201', ['echo.status'], 'echo', { status: 201 }),
  mutant('echo.bare', ['echo.platform-envelope'], 'envelope', { ok: (data) => data }),
  mutant('echo.message-missing', ['echo.platform-envelope'], 'envelope', okWithout('message')),
  mutant('echo.success-missing', ['echo.platform-envelope'], 'envelope', okWithout('success')),
  mutant('echo.success-false', ['echo.success-true'], 'envelope', {
    ok: (data, message) => ({ success: false, message, data }),
  }),
  mutant('echo.trimmed', ['echo.message-returned'], 'echo', { message: (sent) => sent.trim() }),
  mutant('echo.normalised', ['echo.message-returned'], 'echo', { message: (sent) => sent.normalize('NFC') }),
  mutant('echo.line-breaks-lost', ['echo.message-returned'], 'echo', {
    message: (sent) => sent.replaceAll('\r\n', '\n'),
  }),
  mutant('echo.formatted', ['echo.message-returned'], 'echo', {
    message: (sent) => sent.replaceAll('%%', '%').replaceAll('{{', '{').replaceAll('}}', '}'),
  }),
  mutant('echo.cut', ['echo.message-returned'], 'echo', { message: (sent) => sent.slice(0, 4096) }),
  mutant('echo.astral-lost', ['echo.message-returned'], 'echo', {
    message: (sent) => sent.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'),
  }),
  mutant('echo.app-name-missing', ['echo.identity-fields', 'echo.app-name'], 'echo', {
    data: ({ appName: _appName, ...rest }) => rest,
  }),
  mutant('echo.app-key-a-number', ['echo.identity-fields'], 'echo', {
    data: (data) => ({ ...data, appKey: 1 }),
  }),
  mutant('echo.names-swapped', ['echo.app-key', 'echo.app-name'], 'echo', {
    data: ({ appKey, appName, ...rest }) => ({ ...rest, appKey: appName, appName: appKey }),
  }),
  mutant('echo.name-escaped-for-pages', ['echo.app-name'], 'echo', {
    data: ({ appName, ...data }) => ({
      ...data,
      appName: appName.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    }),
  }),
  endpointMutant('echo.name-of-the-latest', ['echo.app-name'], 'echo', async (request, context, answer) => {
    const reply = await answer(request, context);
    const { appName } = context.state.applications.list().at(-1) ?? {};
    const { body } = withMembers({ ...reply, body: member(reply.body, 'data') }, { appName });
    return withMembers(reply, { data: body });
  }),
  mutant('echo.name-now-and-then-another', ['echo.app-name'], 'echo', {
    data: everyThird({ appName: 'Outra aplicação' }),
  }),
  mutant('echo.key-now-and-then-another', ['echo.app-key'], 'echo', { data: everyThird({ appKey: 'outra' }) }),
  mutant('echo.time-without-milliseconds', ['echo.server-time-format'], 'echo', {
    serverTime: (now) => echoRules.serverTime(now).replace(/\.\d+/, ''),
  }),
  mutant('echo.time-with-offset', ['echo.server-time-format'], 'echo', {
    serverTime: (now) => echoRules.serverTime(new Date(now.getTime() - 3 * 3_600_000)).replace('Z', '-03:00'),
  }),
  mutant('echo.time-of-the-system', ['echo.server-time-now'], 'echo', {
    serverTime: () => echoRules.serverTime(new Date()),
  }),
  ...['required-headers', 'timestamp', 'token', 'signature'].map((stage) =>
    stageMutant(`echo.without-${stage}`, ['echo.whole-pipeline'], stage, (request, context, original) =>
      request.path === '/openapi/demo/echo' ? undefined : original.answer(request, context),
    ),
  ),
];
