import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Arrival, Exchange } from '../exchange.ts';
import { signedRequest } from '../../client/sign.ts';
import { evidenceOf, evidenceOfDelivery } from '../evidence.ts';
import { allowanceOf, maskOfPeople, rememberReceived } from './memory.ts';
import { strangers, canaries, keys, type Canary, allowing } from './testing/canaries.ts';
import { createHash } from 'node:crypto';
import type { Draft } from '../../contract/request.ts';
import { maskFor } from '../mask.ts';
import { spellingsOf } from './spellings.ts';

/** A body that holds a canary, as a target may send it. */
interface Planted {
  readonly canary: Canary;
  readonly body: string;
}

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const escapedWholly = (text: string): string =>
  text.replaceAll(/./gs, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The JSON values that hold a canary somewhere. */
const values = (canary: string): fc.Arbitrary<unknown> =>
  fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constant(canary),
      fc
        .constantFrom(`"${canary}"`, `não existe “${canary}” aqui`, `'${canary}'`, `«${canary}»`)
        .map((text) => ({ message: text })),
      fc.tuple(keys, tie('value')).map(([key, value]) => ({ code: 10009003, [key]: value, n: null })),
      tie('value').map((value) => [1, value, true]),
      tie('value').map((value) => ({ data: JSON.stringify(value) })),
      fc.constant({ [canary.includes(' ') || /\d{4}|@/.test(canary) ? canary : `${canary} x`]: 1 }),
    ),
  })).value;

const inJson = (canary: Canary): fc.Arbitrary<string> =>
  fc
    .tuple(values(canary.text), fc.constantFrom(undefined, 1, '\t'))
    .map(([value, space]) => JSON.stringify(value, undefined, space));

const inMarkup = ({ text }: Canary): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('xNome', 'xMotivo', 'cStat', 'nProt', 'chNFe', 'nome', 'CNPJ', 'status'),
      fc.integer({ min: 0, max: 8 }),
    )
    .map(([element, form]) => {
      const inside = [
        `<${element}>${xml(text)}</${element}>`,
        `<${element} nome="${xml(text)}"/>`,
        `<${element} status='${xml(text)}'>1</${element}>`,
        `<${element}><![CDATA[${text}]]></${element}>`,
        `<!-- ${text} --><${element}/>`,
        `<?x ${text}?><${element}/>`,
        `<x:${element}>\n  ${xml(text)}\n</x:${element}>`,
        `<!DOCTYPE a [<!ENTITY b "${xml(text)}">]><${element}/>`,
        `<${element} x=${xml(text).replaceAll(/[\s>]/g, '_')}>`,
      ];
      return `<retorno versao="4.00">${inside[form]}</retorno>`;
    });

const inPages = ({ text }: Canary): fc.Arbitrary<string> =>
  fc.constantFrom(
    `<html><body><h1>502 Bad Gateway</h1><p>${xml(text)}</p></body></html>`,
    `<html><title>${xml(text)}</title><script>var a = "${text}";</script>`,
    `<!DOCTYPE html><p title="${xml(text)}">nginx <b>${xml(text)}</b>`,
    `error for ${text}: not found`,
    `nome=${encodeURIComponent(text)}&x=1`,
    text,
    `callback({"nome":"${text}"})`,
    `)]}',\n{"code":"${text}"}`,
    `{nome: '${text}', "code": ${text}}`,
    `{"nome":"${escapedWholly(text)}"}`,
    `{"nome":"a","nome":"${text.replaceAll('"', '')}"`,
    `{"nome":"${text}`,
  );

const planted: fc.Arbitrary<Planted> = canaries.chain((canary) =>
  fc.oneof(inJson(canary), inMarkup(canary), inPages(canary)).map((body) => ({ canary, body })),
);

const request = signedRequest({
  call: { method: 'POST', path: '/openapi/demo/echo', rawBody: Buffer.from('{"message":"olá"}') },
  token: 'the-app-secret-of-the-run',
  timestamp: '1700000000',
});

/** All that a report would show of an answer: its evidence, and a finding that quotes all of it. */
function shownOf(body: string, headers: readonly [string, string][]): string {
  const people = strangers();
  const allowance = allowanceOf(people, []);
  const mask = (text: string): string => text;
  const response = { status: 200, headers, rawBody: Buffer.from(body) };
  const exchange: Exchange = { request, response, durationMs: 1 };
  const arrival: Arrival = {
    method: 'POST',
    target: '/hook',
    headers,
    rawBody: response.rawBody,
    isTooLarge: false,
    arrivedAtMs: 0,
  };
  rememberReceived(people, response, mask, allowance);
  const finding = maskOfPeople(people)(`expected another, actual ${body}`);
  const veil = { mask, allowance };
  return JSON.stringify([evidenceOf(exchange, veil), evidenceOfDelivery(arrival, veil), finding]);
}

function expectHidden({ telling }: Canary, shown: string): void {
  for (const piece of telling) expect(shown).not.toContain(JSON.stringify(piece).slice(1, -1));
}

test('nothing of somebody shows, wherever in a body it stands, neither in evidence nor in a finding that quotes it', () => {
  fc.assert(
    fc.property(planted, ({ canary, body }) => expectHidden(canary, shownOf(body, []))),
    { numRuns: 3_000 },
  );
});

test.each<[string, unknown, RegExp]>([
  ['a birth date as a list', { nascimento: [1963, 11, 17] }, /1963|11|17/],
  ['one in three members', { ano: 1963, mes: 11, dia: 17 }, /1963|11|17/],
  ['a telephone in two', { ddd: 21, prefixo: 98765 }, /21|98765/],
  ['a CPF in pieces', { ni: [390, 533, 447, 5] }, /390|533|447/],
])('%s does not show', (_, body, telling) => {
  const veil = { mask: (text: string): string => text, allowance: allowanceOf(strangers(), []) };
  const response = { status: 200, headers: [], rawBody: Buffer.from(JSON.stringify(body)) };
  const { text = '' } = evidenceOf({ request, response, durationMs: 1 }, veil).response?.body ?? {};
  expect(text).toContain('…');
  expect(text.replaceAll(/… \d+ /g, '')).not.toMatch(telling);
});

test('nothing of somebody shows in evidence where a body is cut off after it', () => {
  fc.assert(
    fc.property(planted, fc.nat(40), ({ canary, body }, more) => {
      const end = body.lastIndexOf(canary.text) + canary.text.length + more;
      const rawBody = Buffer.from(body.slice(0, end));
      const veil = { mask: (text: string): string => text, allowance: allowanceOf(strangers(), []) };
      const evidence = evidenceOf({ request, response: { status: 200, headers: [], rawBody }, durationMs: 1 }, veil);
      expectHidden(canary, JSON.stringify(evidence));
    }),
    { numRuns: 2_000 },
  );
});

test('nothing of somebody shows in a header', () => {
  const names = [
    'Content-Type',
    'Server',
    'Set-Cookie',
    'Location',
    'X-Service-Event',
    'X-Service-Event-Id',
    'X-Request',
    'Date',
  ];
  const further = [
    'Retry-After',
    'X-RateLimit-Limit',
    'Link',
    'Via',
    'X-Service-Timestamp',
    'token',
    'Content-Length',
    'Host',
  ];
  fc.assert(
    fc.property(canaries, fc.constantFrom(...names, ...further), (canary, name) => {
      const value = Buffer.from(canary.text).toString('latin1');
      const telling = canary.telling.map((piece) => Buffer.from(piece).toString('latin1'));
      expectHidden({ ...canary, telling }, shownOf('{}', [[name, value]]));
    }),
    { numRuns: 2_000 },
  );
});

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
