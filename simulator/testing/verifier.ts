import { readFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { member } from '../../schemas/values.ts';
import { send, signedCall, type TestAnswer, type Running, textIn } from './call.ts';

/** An application of a unit test that verifies and looks up, by its own clock. */
export interface TestVerifier {
  readonly appKey: string;
  /** Has a document verified, sent as it stands. */
  verify(xml: string | Buffer, headers?: OutgoingHttpHeaders): Promise<TestAnswer>;
  /** Looks up a chave. */
  lookUp(chave: string, headers?: OutgoingHttpHeaders): Promise<TestAnswer>;
  /** Asks below `/openapi/v3/consultas/`. */
  consult(path: string, headers?: OutgoingHttpHeaders): Promise<TestAnswer>;
  advance(seconds: number): Promise<void>;
  /** Steers its authority. */
  steer(steering: object): Promise<void>;
}

const folder = '/openapi/v3/consultas/';

/** A new application that verifies; on a test clock unless wished otherwise. */
export async function testVerifier(simulator: Running, wish: object = {}): Promise<TestVerifier> {
  return verifierOf(simulator, await simulator.application({ clock: '2031-05-17T09:30:00Z', ...wish }));
}

/** The same for an application that there is already. */
export function verifierOf(
  simulator: Running,
  { appKey, appSecret: token }: { readonly appKey: string; readonly appSecret: string },
): TestVerifier {
  const ask = async (call: { method?: string; target: string; body?: Buffer; headers?: OutgoingHttpHeaders }) => {
    const { json } = await simulator.control('GET', `/applications/${appKey}`);
    const clock = textIn(json, 'clock');
    const timestamp = String(Math.floor((clock === 'system' ? Date.now() : Date.parse(clock)) / 1000));
    const signedBody = call.body ? withoutLineBreaks(call.body) : '';
    return send(simulator.baseUrl, signedCall({ token, timestamp, ...call, signedBody }));
  };
  const consult: TestVerifier['consult'] = (path, headers = {}) => ask({ target: folder + path, headers });
  return {
    appKey,
    consult,
    verify: (xml, headers = {}) =>
      ask({
        method: 'POST',
        target: `${folder}nf-e/xml`,
        body: Buffer.from(xml),
        headers: { 'content-type': 'application/xml', ...headers },
      }),
    lookUp: (chave, headers) => consult(`nf-e/${chave}`, headers),
    async advance(advanceSeconds) {
      await simulator.control('POST', `/applications/${appKey}/clock`, { advanceSeconds });
    },
    async steer(steering) {
      await simulator.control('PUT', `/applications/${appKey}/authority`, steering);
    },
  };
}

/** The verdict in an answer. */
export function verdictIn({ json }: TestAnswer): Readonly<Record<string, unknown>> {
  const validation = member(json, 'validation');
  return typeof validation === 'object' && validation !== null ? { ...validation } : {};
}

/** A document of the default profile, as it stands there. */
export function profileXml(which: 'autorizada' | 'rejeitada'): string {
  return readFileSync(new URL(`../../profiles/default/verificacao.${which}.xml`, import.meta.url), 'utf8');
}

function withoutLineBreaks(bytes: Buffer): Buffer {
  return Buffer.from(bytes.filter((byte) => byte !== 0x0d && byte !== 0x0a));
}
