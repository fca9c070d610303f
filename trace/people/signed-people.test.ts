import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import fc from 'fast-check';
import type { Draft } from '../../contract/request.ts';
import { signedRequest } from '../../client/sign.ts';
import { evidenceOf } from '../evidence.ts';
import { maskFor } from '../mask.ts';
import { spellingsOf } from './spellings.ts';
import { allowing } from './testing/allowances.ts';

const secret = 'signed-canary-secret-0123456789';
const people = {
  cpf: '39053344705',
  nascimento: '05031990',
  nome: 'Conceição Xavantes Bittencourt',
  telefone: '11988887777',
};
const known = new Map([
  ...spellingsOf('cpf', people.cpf).map((text) => [text, '$cpf'] as const),
  ...spellingsOf('nascimento', people.nascimento).map((text) => [text, '$nascimento'] as const),
  ...spellingsOf('text', people.nome).map((text) => [text, '$nome'] as const),
  ...spellingsOf('phone', people.telefone).map((text) => [text, '$telefone'] as const),
]);
const telling = [...known.keys()].filter((text) => text.replaceAll(/\D/g, '').length >= 8 || /[A-Z]/.test(text));
const veil = { mask: maskFor(new Map([[secret, '$NFE_APP_SECRET']])), allowance: allowing([], known) };

/** A person as a body has one. */
const somebody = fc.constantFrom(...known.keys());
const bodies = fc.tuple(somebody, somebody, fc.nat(7)).map(([one, other, form]) => {
  const texts = [
    JSON.stringify({ message: one, cpf: other }),
    `{"a":1,"cpf":${people.cpf}}`,
    people.cpf,
    `${one} ${people.cpf}`,
    `<dest><xNome>${one}</xNome><CPF>${other}</CPF></dest>`,
    `<dest>\r\n<CPF>${other}</CPF>\r\n</dest>${people.cpf}`,
    `"${one}",${people.nascimento}`,
    `https://canario.example/x/${people.cpf}`,
  ];
  return texts[form] ?? '';
});
const paths = fc.constantFrom(
  '/openapi/demo/echo',
  `/openapi/v3/consultas/cpf/${people.cpf}/${people.nascimento}`,
  `/openapi/v2/empresas/${people.cpf}`,
);
const drafts = fc
  .tuple(bodies, paths, fc.integer({ min: 1_600_000_000, max: 1_900_000_000 }))
  .map(([body, path, seconds]): Draft => ({
    call: { method: 'POST', path, rawBody: Buffer.from(body) },
    token: secret,
    timestamp: String(seconds),
    origin: { appSecret: secret, nowSeconds: seconds },
  }));

test('of 400 strings to sign with people in them all keep their parts and their timestamp, and none tells of anybody', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(drafts, (draft) => {
      const evidence = evidenceOf({ request: signedRequest(draft), durationMs: 1 }, veil);
      const { text = '', parts = [] } = evidence.stringToSign ?? {};
      expect(parts.map(({ name }) => name)).toEqual(['token', 'path', 'body', 'timestamp']);
      expect(parts.reduce((sum, { length }) => sum + length, 0)).toBe(text.length);
      expect(text.slice(-(parts.at(-1)?.length ?? 0))).toBe(draft.timestamp);
      const shown = JSON.stringify(evidence);
      for (const one of telling) expect(shown).not.toContain(one);
      seen.add(createHash('md5').update(text).digest('hex'));
    }),
    { numRuns: 400 },
  );
  expect(seen.size).toBeGreaterThan(300);
});
