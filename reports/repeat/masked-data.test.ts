import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import type { Draft } from '../../contract/request.ts';
import { evidenceOf } from '../../trace/evidence.ts';
import { maskFor } from '../../trace/mask.ts';
import { wordsMask } from '../../trace/people/words-mask.ts';
import { signedRequest } from '../../client/sign.ts';
import { repeatScript } from './script.ts';
import { headerOf, recordingServer } from '../testing/recording-server.ts';
import { runScript } from '../testing/run-script.ts';

const secret = 'masked-canary-secret-0123456789';
const otherSecret = 'another-canary-secret-9876543210';
const hideSecrets = maskFor(
  new Map([
    [secret, '$NFE_APP_SECRET'],
    ['hook-canary', '$WEBHOOK_TOKEN'],
  ]),
);
/** The people of a profile, as a report names them. */
const hidePeople = wordsMask(
  new Map([
    ['ALFA', '$xNome'],
    ['BETA', '$xNome'],
    ['01001000', '$CEP'],
    ['02002000', '$CEP'],
    ['52998224725', '$CPF'],
    ['01021990', '$nascimento'],
    ['Ana Lima', '$nome'],
    ['Rosa Lima', '$nomeMae'],
  ]),
);
const mask = (text: string): string => hidePeople(hideSecrets(text));
const nowSeconds = 1_700_000_000;
const server = await recordingServer('you sent 01310-100');
afterAll(() => server.stop());

const document =
  '<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><emit><xNome>ALFA</xNome><CEP>01001000</CEP></emit>' +
  '<dest><CPF>52998224725</CPF><xNome>BETA</xNome><CEP>02002000</CEP></dest>' +
  '<T Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/></NFe>';
const asMasked = document
  .replaceAll(/ALFA|BETA/g, '$xNome')
  .replaceAll(/>0[12]00[12]000/g, '>$CEP')
  .replace('52998224725', '$CPF');

function scriptOf(call: Partial<Draft['call']>, change: Partial<Draft> = {}): string {
  const origin = { appSecret: secret, nowSeconds };
  const whole = { method: 'POST', path: '/openapi/nfe', ...call };
  const draft: Draft = { call: whole, token: secret, timestamp: String(nowSeconds), origin, ...change };
  const evidence = evidenceOf({ request: signedRequest(draft), durationMs: 1 }, { mask });
  return repeatScript(evidence, { baseUrl: server.baseUrl, clause: 'nfe-verification.bare' }) ?? 'no script';
}

const scriptOfDocument = (change: Partial<Draft> = {}): string => scriptOf({ rawBody: Buffer.from(document) }, change);

async function sentBy(script: string, variables: Record<string, string> = {}) {
  const ran = await runScript(script, { NFE_APP_SECRET: otherSecret, ...variables });
  const request = server.seen.at(-1);
  if (!ran.stdout.startsWith('HTTP ') || !request)
    throw new Error(`the script ended with ${ran.status}: ${ran.stderr}`);
  return { ...ran, ...request, bodyText: request.rawBody.toString('utf8'), told: ran.stderr.split('\n') };
}

describe('personal data that a report masks', () => {
  test('is sent as masked, with names of XML as they are, and no variable is asked for', async () => {
    const script = scriptOfDocument();
    expect((await sentBy(script)).bodyText).toBe(asMasked);
    expect(script).not.toMatch(/(CEP|CPF|xNome): what the report shows/);
  });

  test('is told of before the request goes out, with what it means for the answer', async () => {
    const unreachable = { NFE_APP_SECRET: otherSecret, NFE_BASE_URL: 'http://127.0.0.1:1' };
    const { stderr } = await runScript(scriptOfDocument(), unreachable);
    const [sent, ofSign, ofAnswer, end] = stderr.split('\n');
    expect(sent).toBe('repeat.mjs: masked in the report and sent as it stands: $xNome, $CEP, $CPF');
    expect(ofSign).toContain(
      'The sign is computed over what is sent, so an answer about the signature is a fair repeat.',
    );
    expect(ofAnswer).toContain('An answer that depends on the masked data may differ from that of the run');
    expect(end).toMatch(/^repeat\.mjs: no answer: /);
  });

  test('is told of in the comment', () => {
    const script = scriptOfDocument();
    expect(script).toContain('// The report masks personal data or link tokens in this request: $xNome, $CEP, $CPF.\n');
    expect(script).toContain('// An answer that depends on the masked data may differ');
  });

  test('is signed as it is sent', async () => {
    const sent = await sentBy(scriptOfDocument());
    const signed = `${otherSecret}/openapi/nfe${asMasked}${headerOf(sent, 'timestamp')}`;
    expect(headerOf(sent, 'sign')).toBe(createHash('md5').update(signed).digest('hex'));
  });

  test.each<[string, Partial<Draft>]>([
    ['not sent', { omit: ['sign'] }],
    ['the text of the run', { sign: () => 'abc' }],
  ])('lets nothing be said of a computed sign where the sign is %s', async (_, change) => {
    const script = scriptOfDocument(change);
    expect((await sentBy(script)).told[1]).toContain('An answer that depends on the masked data may differ');
    expect(script).not.toContain('The sign is computed over what is sent');
  });

  test('is taken from the environment in every place of its name, and does not reach the terminal', async () => {
    const { bodyText, told, stdout, stderr } = await sentBy(scriptOfDocument(), { CEP: '01310-100', CPF: 'a$CEP$&' });
    expect(bodyText).toBe(asMasked.replaceAll('$CEP', '01310-100').replace('$CPF', () => 'a$CEP$&'));
    expect(told.slice(0, 2)).toEqual([
      'repeat.mjs: masked in the report and sent as it stands: $xNome',
      'repeat.mjs: sent from the environment: $CEP, $CPF',
    ]);
    expect(stdout).toMatch(/\nyou sent \$CEP\n/);
    expect(stderr).not.toContain('01310');
  });

  test('is told apart from a secret beside it, which is asked for', async () => {
    const rawBody = Buffer.from('{"nome":"Ana Lima","nomeMae":"Rosa Lima","url":"https://h/hook-canary"}');
    const script = scriptOf({ rawBody });
    const { bodyText } = await sentBy(script, { WEBHOOK_TOKEN: 'mine', nome: 'N' });
    expect(bodyText).toBe('{"nome":"N","nomeMae":"$nomeMae","url":"https://h/mine"}');
    const { status, stderr } = await runScript(script, { NFE_APP_SECRET: otherSecret });
    expect([status, stderr]).toEqual([2, expect.stringContaining('repeat.mjs: WEBHOOK_TOKEN is not set')]);
  });

  test('may stand in the path', async () => {
    const path = '/openapi/v3/consultas/cpf/52998224725/01021990';
    const { target } = await sentBy(scriptOf({ method: 'GET', path }), { nascimento: '02031980' });
    expect(target).toBe('/openapi/v3/consultas/cpf/$CPF/02031980');
  });
});

test('a script without masked data tells nothing of it', async () => {
  const script = scriptOf({ rawBody: Buffer.from('{}') });
  expect((await sentBy(script)).stderr).toBe('');
  expect(script).not.toContain('asked in the report');
});
