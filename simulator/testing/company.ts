import { readFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { member } from '../../schemas/values.ts';
import { send, signedCall, type TestAnswer, type Running, textIn, type SignedCall, type TestCall } from './call.ts';

/** An application of a unit test with a company that has its certificate. */
export interface TestIssuer {
  readonly appKey: string;
  readonly appSecret: string;
  readonly empresaId: string;
  /** Asks an endpoint as that application; `{empresa}` in the target stands for the company. */
  readonly ask: (method: string, target: string, body?: unknown, signal?: AbortSignal) => Promise<TestAnswer>;
  /** Issues the default profile's invoice under that id. */
  readonly issue: (id: string, changes?: object, signal?: AbortSignal) => Promise<TestAnswer>;
  /** Queries that invoice. */
  readonly query: (id: string) => Promise<TestAnswer>;
  readonly advance: (seconds: number) => Promise<void>;
  /** The same at another simulator, which has its state. */
  readonly at: (simulator: Running) => TestIssuer;
}

/** Where the application's test clock stands at first. */
export const testClockStart = '2031-05-17T09:30:00.000Z';

/** An application on a test clock with the default profile's company. */
export async function testIssuer(simulator: Running, wish: object = {}): Promise<TestIssuer> {
  const { appKey, appSecret } = await simulator.application({ clock: testClockStart, ...wish });
  const clock = { seconds: Date.parse(testClockStart) / 1000 };
  const call = callerOf(simulator, appSecret, clock);
  const registered = await call('POST', '/openapi/v2/empresas', profileText('empresa.json'));
  const empresaId = textIn(registered.json, 'empresaId');
  const { contentType, content } = await certificateForm();
  const headers = { 'content-type': contentType };
  await call('POST', `/openapi/v1/empresas/${empresaId}/certificadoDigital`, content, { headers });
  return issuerAt(simulator, { appKey, appSecret, empresaId }, clock);
}

interface TestClock {
  seconds: number;
}

function issuerAt(
  simulator: Running,
  known: Pick<TestIssuer, 'appKey' | 'appSecret' | 'empresaId'>,
  clock: TestClock,
): TestIssuer {
  const call = callerOf(simulator, known.appSecret, clock);
  const ask: TestIssuer['ask'] = (method, target, body, signal) =>
    call(
      method,
      target.replace('{empresa}', () => known.empresaId),
      body === undefined ? '' : JSON.stringify(body),
      signal ? { signal } : {},
    );
  return {
    ...known,
    ask,
    issue: (id, changes = {}, signal) =>
      ask('POST', '/openapi/v2/empresas/{empresa}/nf-e', invoiceBody(id, changes), signal),
    query: (id) => ask('GET', `/openapi/v2/empresas/{empresa}/nf-e/${id}`),
    async advance(by) {
      await simulator.control('POST', `/applications/${known.appKey}/clock`, { advanceSeconds: by });
      clock.seconds += by;
    },
    at: (other) => issuerAt(other, known, clock),
  };
}

interface RequestParts {
  /** Of a body that is multipart and not signed. */
  readonly headers?: OutgoingHttpHeaders;
  readonly signal?: AbortSignal;
}

type TestRequest = (method: string, target: string, body: string | Buffer, parts?: RequestParts) => Promise<TestAnswer>;

/** Signs and sends. */
function callerOf({ baseUrl }: Running, token: string, clock: TestClock): TestRequest {
  return (method, target, body, { headers, signal } = {}) => {
    const parts = { token, method, target, body, timestamp: String(clock.seconds) };
    const signed = signedCall(headers ? { ...parts, signedBody: '', headers } : parts);
    return send(baseUrl, signal ? { ...signed, signal } : signed);
  };
}

async function certificateForm(): Promise<{ contentType: string; content: Buffer }> {
  const form = new FormData();
  form.append('arquivo', new Blob([new Uint8Array(readFileSync('profiles/default/certificado.pfx'))]), 'c.pfx');
  form.append('senha', String(member(JSON.parse(profileText('certificado.json')), 'fields', 'senha')));
  const upload = new Response(form);
  const contentType = upload.headers.get('content-type') ?? '';
  return { contentType, content: Buffer.from(await upload.arrayBuffer()) };
}

/** The default profile's invoice under that id, with changes. */
export function invoiceBody(id: string, changes: object = {}): object {
  const body: unknown = JSON.parse(profileText('nf-e.autorizada.json'));
  if (typeof body !== 'object') throw new Error('the default profile has no invoice');
  return { ...body, id, ambienteEmissao: 'Homologacao', ...changes };
}

/** A file of the default profile without its line breaks, as it is signed. */
export function profileText(file: string): string {
  return readFileSync(`profiles/default/${file}`, 'utf8').replaceAll(/[\r\n]/g, '');
}

/** A file of the default profile. */
export function profileFile(name: string): Buffer {
  return readFileSync(new URL(`../../profiles/default/${name}`, import.meta.url));
}

/** The password of the profile's certificates. */
export const certificatePassword = 'Kz8vQ2mXw4Rt';

/** A registration of the profile's company, or of another body; `parts` lays others over what is sent. */
export function registrationCall(
  token: string,
  body: string | Buffer = profileFile('empresa.json'),
  parts: Partial<SignedCall> = {},
): TestCall {
  const withoutLineBreaks = Buffer.from(body)
    .toString('latin1')
    .replaceAll(/[\r\n]/g, '');
  const signedBody = Buffer.from(withoutLineBreaks, 'latin1');
  return signedCall({ token, method: 'POST', target: '/openapi/v2/empresas', body, signedBody, ...parts });
}

const boundary = 'limite-de-teste';

/** A part of a form; with a `filename` it is a file. */
export interface TestPart {
  readonly name: string;
  readonly filename?: string;
  readonly content: string | Buffer;
}

/** The parts of an association as the profile has them. */
export const profileParts: readonly TestPart[] = [
  { name: 'arquivo', filename: 'certificado.pfx', content: profileFile('certificado.pfx') },
  { name: 'senha', content: certificatePassword },
];

/** An association of a certificate, signed with an empty body; `parts` lays others over what is sent. */
export function associationCall(
  token: string,
  empresaId: string,
  form: readonly TestPart[] = profileParts,
  parts: Partial<SignedCall> = {},
): TestCall {
  return signedCall({
    token,
    method: 'POST',
    target: `/openapi/v1/empresas/${empresaId}/certificadoDigital`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: formBody(form),
    signedBody: '',
    ...parts,
  });
}

/** A multipart body with those parts, to its last boundary. */
export function formBody(form: readonly TestPart[]): Buffer {
  const parts = form.flatMap(({ name, filename, content }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')];
  });
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
}
