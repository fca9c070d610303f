import { describe, expect, test } from 'vitest';
import { recordOf, steeringOf, type RecordWish } from './testing/records.ts';
import { brokenByHistory } from './testing/story.ts';

const registration: RecordWish = {
  target: '/openapi/v2/empresas',
  requestBody: '{"cnpj":"1"}',
  signing: {},
  caller: { name: 'app' },
};
const accepted: RecordWish = { ...registration, body: { empresaId: 'e-1' } };
const refusedWith = (status: number): RecordWish => ({
  ...registration,
  status,
  body: [{ codigo: 'a', mensagem: 'b' }],
});

/** The clauses that these registrations break, one after the other. */
function brokenBy(...wishes: readonly RecordWish[]): readonly string[] {
  return brokenByHistory(wishes.map((wish, at) => recordOf({ sentAtMs: at * 1_000, ...wish })));
}

describe('a registration', () => {
  test.each([400, 404, 422])('that was refused by %i just before it was accepted was right', (status) => {
    expect(brokenBy(refusedWith(status), accepted)).toEqual(['empresa-registration.status-200']);
  });

  test('of a certificate that was refused just before it was accepted was right, for the same company', () => {
    const upload = { ...accepted, target: '/openapi/v1/empresas/a/certificadoDigital' };
    const refusal = { ...upload, status: 404 };
    expect(brokenBy(refusal, upload)).toEqual(['certificado-association.status-200']);
    expect(brokenBy({ ...refusal, target: refusal.target.replace('/a/', '/b/') }, upload)).toEqual([]);
  });

  test('of a certificate to which a page came in the place of an acceptance says nothing', () => {
    const upload = { ...registration, target: '/openapi/v1/empresas/a/certificadoDigital' };
    const page = { ...upload, body: '<html><head><title>200</title></head><body>Be right back</body></html>' };
    expect(brokenBy({ ...upload, status: 404 }, page)).toEqual([]);
  });

  test.each<[string, readonly RecordWish[]]>([
    ['of another body', [{ ...refusedWith(400), requestBody: '{"cnpj":"2"}' }, accepted]],
    ['that was accepted before', [accepted, refusedWith(409)]],
    ['that a front refused for its size', [refusedWith(413), accepted]],
    ['that was refused long ago', [refusedWith(400), { ...accepted, sentAtMs: 120_000 }]],
    ['that was under way', [refusedWith(409), accepted]],
    ['that is refused again', [refusedWith(400), refusedWith(400)]],
    [
      'of an address, which may not have been there',
      [
        { ...refusedWith(400), target: '/openapi/v1/webhooks' },
        { ...registration, target: '/openapi/v1/webhooks' },
      ],
    ],
  ])('%s says nothing', (_, wishes) => {
    expect(brokenBy(...wishes)).toEqual([]);
  });

  test('that is accepted once something was changed of its application says nothing', () => {
    const changed = steeringOf(500, 'PATCH /applications/app', {}, 'app');
    const [refusal, acceptance] = [recordOf(refusedWith(400)), recordOf({ ...accepted, sentAtMs: 1_000 })];
    expect(brokenByHistory([refusal, changed, acceptance])).toEqual([]);
    expect(brokenByHistory([refusal, acceptance])).toEqual(['empresa-registration.status-200']);
  });
});
