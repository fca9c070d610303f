import type { EchoData } from '../schemas/messages.ts';
import { echoRules, type EchoRules } from '../simulator/rules/echo.ts';
import { parseJsonObject } from '../simulator/http/json.ts';
import { okWithout } from './envelope.ts';
import { member } from '../schemas/values.ts';
import { ruleMutants, endpointMutant, stageMutant, withMembers, type Mutant } from './mutant.ts';
import { percentDecoded } from '../trace/people/veil.ts';

const ruled = ruleMutants('echo', 'echo');
const ruledEnvelope = ruleMutants('echo', 'envelope');

/** Returns another message than was sent. */
function returned(what: string, change: (sent: string) => string): Mutant {
  return ruled(what, ['echo.message-returned'], { message: change });
}

/** Tells of another application every third time. */
function everyThird(other: Partial<EchoData>): EchoRules['data'] {
  let told = 0;
  return (data) => (++told % 3 === 0 ? { ...data, ...other } : data);
}

/** Tells an empty message otherwise. */
function emptyAs(what: string, value: unknown): Mutant {
  return ruled(what, ['echo.message-returned'], {
    data: (data) => (data.echo === '' ? { ...data, echo: value } : data),
  });
}

/** Refuses such messages. */
function refusing(what: string, isRefused: (message: string) => boolean): Mutant {
  return endpointMutant(`echo.${what}`, ['echo.message-returned'], 'echo', (request, context, answer) =>
    isRefused(String(parseJsonObject(request.rawBody)?.['message'])) ? { status: 400 } : answer(request, context),
  );
}

/** Wrong echoes. */
export const echoMutants: readonly Mutant[] = [
  ruled('status-201', ['echo.status'], { status: 201 }),
  ruledEnvelope('bare', ['echo.platform-envelope'], { ok: (data) => data }),
  ruledEnvelope('message-missing', ['echo.platform-envelope'], okWithout('message')),
  ruledEnvelope('success-missing', ['echo.platform-envelope'], okWithout('success')),
  ruledEnvelope('success-false', ['echo.success-true'], { ok: (data, message) => ({ success: false, message, data }) }),
  returned('trimmed', (sent) => sent.trim()),
  returned('normalised', (sent) => sent.normalize('NFC')),
  returned('line-breaks-lost', (sent) => sent.replaceAll('\r\n', '\n')),
  returned('formatted', (sent) => sent.replaceAll('%%', '%').replaceAll('{{', '{').replaceAll('}}', '}')),
  returned('cut', (sent) => sent.slice(0, 4096)),
  returned('astral-lost', (sent) => sent.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd')),
  returned('time-read', (sent) => (/^\d{4}-\d\d-\d\dT/.test(sent) ? new Date(sent).toISOString() : sent)),
  returned('decimal-read', (sent) => (/^\d{1,15}\.\d{1,9}$/.test(sent) ? String(Number(sent)) : sent)),
  returned('uuid-in-lower-case', (sent) => (/^[\dA-F-]{36}$/.test(sent) ? sent.toLowerCase() : sent)),
  returned('placeholder-filled', (sent) => sent.replace(/^\{0\}$/, '')),
  endpointMutant('echo.message-of-the-query', ['echo.message-returned'], 'echo', (request, context, answer) => {
    const message = new URLSearchParams(request.query).get('message');
    const rawBody = message === null ? request.rawBody : Buffer.from(JSON.stringify({ message }));
    return answer({ ...request, rawBody }, context);
  }),
  refusing('zero-taken-for-none', (message) => message === '0'),
  refusing('no-number-taken-for-one', (message) => message === 'NaN'),
  ruled('json-in-a-text-read', ['echo.message-returned'], {
    data: (data) => ({ ...data, echo: parseJsonObject(Buffer.from(data.echo)) ?? data.echo }),
  }),
  refusing('brackets-of-a-text-counted', (message) => message.split('[').length > 500),
  refusing('refused-by-a-firewall', (message) => /<script|' or '/i.test(message)),
  emptyAs('empty-as-null', null),
  emptyAs('empty-left-out', undefined),
  returned('names-filled-in', (sent) => sent.replaceAll(/\$[a-z]\w*/gi, '')),
  returned('bindings-filled-in', (sent) => sent.replaceAll(/[%#]\{\w+\}/g, '')),
  returned('dots-made-an-ellipsis', (sent) => sent.replaceAll('...', '…')),
  ruled('word-read-as-a-boolean', ['echo.message-returned'], {
    data: (data) => (data.echo === 'true' ? { ...data, echo: true } : data),
  }),
  returned('nul-lost', (sent) => sent.replaceAll('\0', '')),
  returned('unseen-characters-lost', (sent) => sent.replaceAll(/[\u00ad\u200b-\u200f\u2060]/g, '')),
  returned('byte-order-mark-lost', (sent) => sent.replace(/^\uFEFF/, '')),
  returned('escapes-read-twice', (sent) => sent.replaceAll('\\u0041', 'A')),
  returned('cut-at-64-k', (sent) => sent.slice(0, 65_536)),
  returned('tags-lost', (sent) => sent.replaceAll(/<[^>]*>/g, '')),
  returned('percent-decoded', percentDecoded),
  returned('quotes-made-plain', (sent) => sent.replaceAll(/[“”]/g, '"').replaceAll(/[‘’]/g, "'")),
  ruled('app-name-missing', ['echo.identity-fields', 'echo.app-name'], {
    data: ({ appName: _appName, ...rest }) => rest,
  }),
  ruled('app-key-a-number', ['echo.identity-fields'], { data: (data) => ({ ...data, appKey: 1 }) }),
  ruled('names-swapped', ['echo.app-key', 'echo.app-name'], {
    data: ({ appKey, appName, ...rest }) => ({ ...rest, appKey: appName, appName: appKey }),
  }),
  ruled('name-escaped-for-pages', ['echo.app-name'], {
    data: ({ appName, ...data }) => ({
      ...data,
      appName: appName.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    }),
  }),
  ruled('name-cut-at-32', ['echo.app-name'], {
    data: ({ appName, ...data }) => ({ ...data, appName: appName.slice(0, 32) }),
  }),
  endpointMutant('echo.name-of-the-latest', ['echo.app-name'], 'echo', async (request, context, answer) => {
    const reply = await answer(request, context);
    const { appName } = context.state.applications.list().at(-1) ?? {};
    const { body } = withMembers({ ...reply, body: member(reply.body, 'data') }, { appName });
    return withMembers(reply, { data: body });
  }),
  ruled('name-now-and-then-another', ['echo.app-name'], { data: everyThird({ appName: 'Outra aplicação' }) }),
  ruled('key-now-and-then-another', ['echo.app-key'], { data: everyThird({ appKey: 'outra' }) }),
  ruled('time-without-milliseconds', ['echo.server-time-format'], {
    serverTime: (now) => echoRules.serverTime(now).replace(/\.\d+/, ''),
  }),
  ruled('time-with-offset', ['echo.server-time-format'], {
    serverTime: (now) => echoRules.serverTime(new Date(now.getTime() - 3 * 3_600_000)).replace('Z', '-03:00'),
  }),
  ruled('time-of-another-zone', ['echo.server-time-format', 'echo.server-time-now'], {
    serverTime: (now) => echoRules.serverTime(new Date(now.getTime() - 3 * 3_600_000)),
  }),
  ruled('time-of-twelve-hours', ['echo.server-time-now'], {
    serverTime: (now) => echoRules.serverTime(new Date(now.getTime() - (now.getUTCHours() > 12 ? 12 * 3_600_000 : 0))),
  }),
  ruled('time-of-the-system', ['echo.server-time-now'], { serverTime: () => echoRules.serverTime(new Date()) }),
  ...['required-headers', 'timestamp', 'token', 'signature'].map((stage) =>
    stageMutant(`echo.without-${stage}`, ['echo.whole-pipeline'], stage, (request, context, original) =>
      request.path === '/openapi/demo/echo' ? undefined : original.answer(request, context),
    ),
  ),
];
