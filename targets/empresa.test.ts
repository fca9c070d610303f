import { describe, expect, test } from 'vitest';
import type { Call } from '../contract/request.ts';
import type { Exchange } from '../trace/exchange.ts';
import { registerEmpresa, revivedEmpresa, usableEmpresaId } from './empresa.ts';
import { readProfile } from './profile.ts';

const profile = readProfile('profiles/default');

/** Answers the calls in turn, and keeps them. */
function answering(...answers: { status: number; body?: string }[]): {
  calls: Call[];
  send: (call: Call) => Promise<Exchange>;
} {
  const calls: Call[] = [];
  return {
    calls,
    send(call) {
      const { status, body = '' } = answers[calls.length] ?? { status: 503 };
      calls.push(call);
      const parts = { token: '', path: call.path, body: Buffer.alloc(0), timestamp: '' };
      const request = { method: call.method, target: call.path, headers: [], parts };
      return Promise.resolve({ request, response: { status, headers: [], rawBody: Buffer.from(body) }, durationMs: 0 });
    },
  };
}

describe('a company of the profile', () => {
  test('is registered with its body, its certificate is uploaded for the empresaId that came back', async () => {
    const { calls, send } = answering({ status: 200, body: '{"empresaId":"E-1"}' }, { status: 200 });
    expect(usableEmpresaId(await registerEmpresa(send, profile))).toBe('E-1');
    const [registration, association] = calls;
    expect(registration).toMatchObject({
      method: 'POST',
      path: '/openapi/v2/empresas',
      contentType: 'application/json',
    });
    expect(JSON.parse(registration?.rawBody?.toString() ?? '')).toEqual(profile.json('empresa.json'));
    expect(association?.path).toBe('/openapi/v1/empresas/E-1/certificadoDigital');
  });

  test('is uploaded as multipart that a parser reads back, byte for byte', async () => {
    const { calls, send } = answering({ status: 201, body: '{"empresaId":"E-1"}' }, { status: 204 });
    await registerEmpresa(send, profile);
    const { contentType = '', rawBody = Buffer.alloc(0) } = calls[1] ?? {};
    const headers = { 'content-type': contentType };
    const form = await new Request('http://x', { method: 'POST', headers, body: new Uint8Array(rawBody) }).formData();
    const { file = '', fields = {} } = profile.certificado ?? {};
    const upload = form.get(file);
    const bytes = upload instanceof File ? Buffer.from(await upload.arrayBuffer()) : undefined;
    expect(bytes).toEqual(profile.bytes('certificado.pfx'));
    for (const [name, text] of Object.entries(fields)) expect(form.get(name)).toBe(text);
  });

  test.each([
    [
      'registration',
      [{ status: 400, body: '[{"codigo":"X","mensagem":"cnpj"}]' }],
      /^the profile's empresa\.json was refused: HTTP 400: .*cnpj/,
    ],
    [
      'registration without an empresaId',
      [{ status: 200, body: '{}' }],
      /^the answer to a registration names no company$/,
    ],
    [
      'registration before its body was read',
      [{ status: 401, body: '{"code":10009003}' }],
      /^a correct request was refused before its body was read: 401: .*10009003/,
    ],
    [
      'certificate',
      [{ status: 200, body: '{"empresaId":"E"}' }, { status: 422 }],
      /^the profile's certificado\.pfx was refused: HTTP 422/,
    ],
    [
      'certificate as that of nobody',
      [{ status: 200, body: '{"empresaId":"E"}' }, { status: 404 }],
      /^the target finds nothing under the empresaId that it gave: HTTP 404/,
    ],
  ])('whose %s is refused makes a check not exercised, and says why', async (_, answers, reason) => {
    const registered = await registerEmpresa(answering(...answers).send, profile);
    expect(() => usableEmpresaId(registered)).toThrow(reason);
  });

  test.each([
    ['that is refused by its endpoint is asked for once more', [400, 200], 3],
    ['that its endpoint fails at is asked for once more', [500, 200], 3],
    ['that is refused twice is left alone', [400, 422], 2],
    ['that the gateway refuses is asked for once more', [403, 200], 3],
    ['that the gateway refuses twice is left alone', [401, 401], 2],
  ])('%s', async (_, statuses, calls) => {
    const { send, calls: sent } = answering(...statuses.map((status) => ({ status, body: '{"empresaId":"E"}' })));
    await registerEmpresa(send, profile);
    expect(sent.length).toBe(calls);
  });

  test('whose certificate is refused by chance has it asked for once more', async () => {
    const { send, calls } = answering({ status: 200, body: '{"empresaId":"E"}' }, { status: 400 }, { status: 200 });
    expect((await registerEmpresa(send, profile)).refusal).toBeUndefined();
    expect(calls).toHaveLength(3);
  });

  test('that is refused gives the whole answer as its reason: half a secret would be masked no longer', async () => {
    const body = `${'x'.repeat(290)}s3cr3t-key${'y'.repeat(5_000)}`;
    for (const answers of [
      [{ status: 400, body }],
      [
        { status: 200, body: '{"empresaId":"E"}' },
        { status: 400, body },
      ],
    ])
      expect((await registerEmpresa(answering(...answers).send, profile)).refusal).toContain(body);
  });

  test('may be the second one, with a certificate of its own', async () => {
    const { calls, send } = answering({ status: 200, body: '{"empresaId":"E-2"}' }, { status: 200 });
    await registerEmpresa(send, profile, 'other');
    expect(JSON.parse(calls[0]?.rawBody?.toString() ?? '')).toEqual(profile.json('outra-empresa.json'));
    const certificate = profile.bytes('outro-certificado.pfx') ?? Buffer.from('none');
    expect(calls[1]?.rawBody?.includes(certificate)).toBe(true);
  });

  test('keeps its exchanges when it travels to another thread', async () => {
    const { send } = answering({ status: 200, body: '{"empresaId":"E-1"}' }, { status: 200, body: 'ok' });
    const registered = await registerEmpresa(send, profile);
    expect(revivedEmpresa(structuredClone(registered))).toEqual(registered);
  });

  describe('that was registered before', () => {
    const refused = { status: 400, body: '[{"codigo":"X","mensagem":"cnpj repetido"}]' };
    const memory = { recall: () => 'E-0', keep: () => undefined };
    const registeredBy = (...answers: { status: number; body?: string }[]) =>
      registerEmpresa(answering(...answers).send, profile, 'own', memory);

    test('is used where its registration is refused, twice, and its certificate is taken', async () => {
      const { calls, send } = answering(refused, refused, { status: 200 });
      expect(usableEmpresaId(await registerEmpresa(send, profile, 'own', memory))).toBe('E-0');
      expect(calls.at(-1)?.path).toBe('/openapi/v1/empresas/E-0/certificadoDigital');
    });

    test.each([
      [
        'its certificate is refused, too',
        [refused, refused, { status: 404 }],
        "the profile's empresa.json was refused",
      ],
      [
        'the application may not register',
        [{ status: 403 }, { status: 403 }, { status: 200 }],
        "the profile's empresa.json was refused",
      ],
      [
        'the service fails',
        [{ status: 500 }, { status: 500 }, { status: 200 }],
        "the service fails at the profile's empresa.json",
      ],
    ] as const)('is not used where %s: what is told is the registration', async (_, answers, told) => {
      const { empresaId, refusal } = await registeredBy(...answers);
      expect(empresaId).toBeUndefined();
      expect(refusal?.startsWith(`${told}: HTTP `)).toBe(true);
    });

    test('is not used where the target registers it anew, which is remembered', async () => {
      const kept: unknown[] = [];
      const keeping = { ...memory, keep: (...what: unknown[]) => void kept.push(what) };
      const { send } = answering({ status: 200, body: '{"empresaId":"E-1"}' }, { status: 200 });
      expect(usableEmpresaId(await registerEmpresa(send, profile, 'own', keeping))).toBe('E-1');
      expect(kept).toEqual([[profile.json('empresa.json'), 'E-1']]);
    });
  });
});
