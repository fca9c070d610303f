import { describe, expect, test } from 'vitest';
import vectors from '../certificates/vectors/pkcs12.json' with { type: 'json' };
import { largestPartBytes } from '../http/multipart.ts';
import { send, type SignedCall, type TestAnswer, runningSimulator, textIn } from '../testing/call.ts';
import {
  associationCall,
  certificatePassword,
  formBody,
  profileFile,
  profileParts,
  registrationCall,
  type TestPart,
} from '../testing/company.ts';

const simulator = runningSimulator();
const contentType = 'multipart/form-data; boundary=limite-de-teste';

async function registered(body?: Buffer): Promise<{ token: string; empresaId: string }> {
  const { appSecret: token } = await simulator.application();
  const { json } = await send(simulator.baseUrl, registrationCall(token, body));
  return { token, empresaId: textIn(json, 'empresaId') };
}

/** Associates what the form holds with a company of its own. */
async function associate(form: readonly TestPart[], parts: Partial<SignedCall> = {}): Promise<TestAnswer> {
  const { token, empresaId } = await registered();
  return send(simulator.baseUrl, associationCall(token, empresaId, form, parts));
}

const arquivo = (content: string | Buffer): TestPart => ({ name: 'arquivo', filename: 'a.pfx', content });
const senha = (content: string): TestPart => ({ name: 'senha', content });
const vector = (name: keyof typeof vectors): Buffer => Buffer.from(vectors[name], 'base64');

/** The codes of a refusal; the whole answer where it is none. */
function refusalOf({ status, json }: TestAnswer): unknown {
  const isFault = (fault: unknown): fault is { codigo: string; mensagem: string } =>
    typeof fault === 'object' && fault !== null && Object.keys(fault).join() === 'codigo,mensagem';
  return Array.isArray(json) && json.every(isFault) ? [status, ...json.map(({ codigo }) => codigo)] : { status, json };
}

describe('association', () => {
  test.each([
    ['certificado.pfx', 'empresa.json', 'EMPRESA FICTICIA LTDA:99999991000125'],
    ['outro-certificado.pfx', 'outra-empresa.json', 'OUTRA EMPRESA FICTICIA LTDA:99999992000170'],
  ])("the profile's %s is answered with the company, the holder and the end alone", async (file, empresa, titular) => {
    const { token, empresaId } = await registered(profileFile(empresa));
    const form = [arquivo(profileFile(file)), senha(certificatePassword)];
    const { status, json } = await send(simulator.baseUrl, associationCall(token, empresaId, form));
    expect({ status, json }).toEqual({
      status: 200,
      json: { empresaId, titular, validoAte: '2055-01-01T00:00:00.000Z' },
    });
  });

  test('one that has expired by the clock of the application is taken', async () => {
    const { appSecret: token } = await simulator.application({ clock: '2071-05-17T09:30:00Z' });
    const timestamp = String(Date.UTC(2071, 4, 17, 9, 30) / 1000);
    const { json } = await send(simulator.baseUrl, registrationCall(token, undefined, { timestamp }));
    const call = associationCall(token, textIn(json, 'empresaId'), profileParts, { timestamp });
    expect(await send(simulator.baseUrl, call)).toMatchObject({ status: 200 });
  });
});

describe('what is wrong', () => {
  const [file] = profileParts;
  const profileArquivo = file ?? arquivo('');

  test.each<[string, readonly TestPart[], readonly string[]]>([
    ['no parts', [], ['ARQUIVO-AUSENTE', 'SENHA-AUSENTE']],
    ['no arquivo', [senha('a')], ['ARQUIVO-AUSENTE']],
    ['no senha', [profileArquivo], ['SENHA-AUSENTE']],
    ['an empty arquivo and no senha', [arquivo('')], ['ARQUIVO-VAZIO', 'SENHA-AUSENTE']],
    ['arquivo as a field', [{ name: 'arquivo', content: 'a' }, senha('a')], ['ARQUIVO-AUSENTE']],
    ['senha as a file', [profileArquivo, { ...senha('a'), filename: 'senha.txt' }], ['SENHA-AUSENTE']],
    ['an arquivo that is none', [arquivo('no certificate'), senha('a')], ['FORMATO']],
    ['a wrong senha', [profileArquivo, senha('errada')], ['SENHA']],
    ['an empty senha', [profileArquivo, senha('')], ['SENHA']],
    ['no key', [arquivo(vector('without-key')), senha('segredo')], ['SEM-CHAVE']],
    ['no certificate', [arquivo(vector('without-certificate')), senha('segredo')], ['SEM-CERTIFICADO']],
    ['an unknown protection', [arquivo(vector('rc2-128')), senha('segredo')], ['PROTECAO']],
    ['two of a name', [...profileParts, senha('a')], ['CORPO']],
  ])('%s is refused with 400', async (_what, form, codes) => {
    const expected = [400, ...codes.map((code) => `SIM-CERTIFICADO-${code}`)];
    expect(refusalOf(await associate(form))).toEqual(expected);
  });

  test.each([
    ['of another kind', { headers: { 'content-type': 'multipart/mixed; boundary=limite-de-teste' } }],
    ['that is cut short', { body: formBody(profileParts).subarray(0, -6) }],
  ])('a form %s is refused', async (_what, parts) => {
    const { token, empresaId } = await registered();
    const headers = { 'content-type': contentType };
    const call = associationCall(token, empresaId, profileParts, { headers, ...parts });
    expect(refusalOf(await send(simulator.baseUrl, call))).toEqual([400, 'SIM-CERTIFICADO-CORPO']);
  });

  test('a part above the largest size is refused with 400', async () => {
    const largest = Buffer.alloc(largestPartBytes);
    const refused = [400, 'SIM-CERTIFICADO-CORPO'];
    expect(refusalOf(await associate([arquivo(largest), senha('a')]))).toEqual([400, 'SIM-CERTIFICADO-FORMATO']);
    expect(refusalOf(await associate([arquivo(Buffer.alloc(largestPartBytes + 1)), senha('a')]))).toEqual(refused);
  });

  test('a body of 20 MB is refused with 400, once its sign is right', async () => {
    const huge = [arquivo(Buffer.alloc(20e6)), senha('a')];
    expect(refusalOf(await associate(huge))).toEqual([400, 'SIM-CERTIFICADO-CORPO']);
    const wrongSign = { headers: { 'content-type': contentType, sign: 'wrong' } };
    expect(await associate(huge, wrongSign)).toMatchObject({ status: 401, json: { code: 10009003 } });
  });

  test('no answer holds the password or the key', async () => {
    const answers = [await associate(profileParts), await associate([profileArquivo, senha('outra-senha-1729')])];
    for (const { bodyText } of answers) expect(bodyText).not.toMatch(/1729|PRIVATE/);
  });
});
