import { expect, test } from 'vitest';
import { fits, hasMask } from './kit.ts';
import { Likeness } from './likeness.ts';

const shifts = [0, Date.parse('2026-03-05T12:00:00Z') - Date.parse('2026-01-01T10:00:00Z')];

/** A body as a report shows it, up to as many characters. */
function shown(text: string, most = text.length) {
  const isCut = text.length > most;
  const body = { bytes: text.length, encoding: 'utf-8' as const, text: text.slice(0, most) };
  return { headers: [], body: { ...body, ...(isCut ? { cut: true as const } : {}) } };
}

/** The first difference between JSON of the run and JSON of now. */
function difference(was: unknown, is: unknown, likeness = new Likeness()): string | undefined {
  const [one, other] = [JSON.stringify(was), JSON.stringify(is)];
  return likeness.ofMessages(shown(one), { headers: [], body: Buffer.from(other) }, shifts);
}

test.each([
  ['an id that is made anew', { id: 'FB92F6C0-4F43' }, { id: '83FE4A60-2CA4' }],
  ['digits of the same length', { chave: '35261099' }, { chave: '35310599' }],
  ['a digest in base64', { v: 'l3AC7BgNSTXIi/G0H/kLXk6GTz8=' }, { v: 'dxCkjaLaq7703NHpri3lTHZz0Mc=' }],
  ['a time at the same distance from its request', { at: '2026-01-01T10:00:01Z' }, { at: '2026-03-05T12:00:02Z' }],
  ['a time of a clock that stands still', { at: '2031-05-17T09:34:47Z' }, { at: '2031-05-17T09:34:47Z' }],
  [
    'JSON in a text',
    { data: '{"id":"FB92F6C0","at":"2026-01-01T10:00:01Z"}' },
    { data: '{"id":"83FE4A60","at":"2026-03-05T12:00:02Z"}' },
  ],
  ['a text that the report masks', { nome: 'EMPRESA $xNome LTDA' }, { nome: 'EMPRESA BETA LTDA' }],
])('%s is alike', (_, was, is) => {
  expect(difference(was, is)).toBeUndefined();
});

test.each([
  ['a word', { status: 'Autorizado' }, { status: 'Autorizada' }, '/status is "Autorizada", in the run "Autorizado"'],
  ['a type', { code: '10009003' }, { code: 10009003 }, '/code is 10009003, in the run "10009003"'],
  ['a field that is there', { a: 1 }, { a: 1, b: 2 }, '/b is there, in the run it was missing'],
  [
    'a field whose name may be somebody',
    { a: 1 },
    { a: 1, '39053344705': 2 },
    '/… is there, in the run it was missing',
  ],
  ['a field that is missing', { a: 1, b: 2 }, { a: 1 }, '/b is missing, in the run 2'],
  [
    'digits of another length',
    { chave: '352610991' },
    { chave: '35261099' },
    '/chave is a text of 8 digits, in the run "352610991"',
  ],
  [
    'a time three hours off',
    { at: '2026-01-01T07:00:00Z' },
    { at: '2026-03-05T12:00:00Z' },
    '/at is "2026-03-05T12:00:00Z"',
  ],
  [
    'a time without its zone',
    { at: '2026-01-01T10:00:00' },
    { at: '2026-03-05T12:00:00Z' },
    '/at is "2026-03-05T12:00:00Z"',
  ],
])('%s is a difference', (_, was, is, told) => {
  expect(difference(was, is)).toContain(told);
});

test('a signature that the report hides is alike where it is as long', () => {
  const of = (signature: string) => ({
    headers: [['x-service-signature', signature] as [string, string]],
    body: Buffer.alloc(0),
  });
  const hidden = { headers: of('… 40 characters ~c9dj').headers };
  expect(new Likeness().ofMessages(hidden, of('a'.repeat(40)), shifts)).toBeUndefined();
  expect(new Likeness().ofMessages(hidden, of('a'.repeat(64)), shifts)).toMatch(/^header x-service-signature/);
});

test('what was the same in the run is the same now, and what was not is not', () => {
  const likeness = new Likeness();
  expect(difference({ id: 'evt-11111111' }, { id: 'evt-22222222' }, likeness)).toBeUndefined();
  expect(difference({ id: 'evt-11111111' }, { id: 'evt-33333333' }, likeness)).toBeDefined();
  expect(difference({ id: 'evt-44444444' }, { id: 'evt-22222222' }, likeness)).toBeDefined();
});

test('what is new takes the place of what was, wherever it stood', () => {
  const likeness = new Likeness();
  difference({ empresaId: 'FB92F6C0-4F43' }, { empresaId: '83FE4A60-2CA4' }, likeness);
  expect(likeness.translated('/openapi/v2/empresas/FB92F6C0-4F43/nf-e')).toBe(
    '/openapi/v2/empresas/83FE4A60-2CA4/nf-e',
  );
});

test('the number of an invoice is another one, and the same wherever it stood', () => {
  const likeness = new Likeness();
  expect(difference({ numero: 170 }, { numero: 360 }, likeness)).toBeUndefined();
  expect(difference({ nfeNumero: '170' }, { nfeNumero: '360' }, likeness)).toBeUndefined();
  expect(difference({ nfeNumero: '171' }, { nfeNumero: '360' }, likeness)).toBe('/nfeNumero is 360, in the run 171');
  expect(difference({ nfeNumero: '170' }, { nfeNumero: '361' }, likeness)).toBe('/nfeNumero is 361, in the run 170');
});

test('what is left of a body that was cut off is compared, and nothing behind it', () => {
  const whole = '{"data":{"codigo":"Autorizada","eventos":[{"tp":"110111"},{"tp":"110110"}],"motivo":"uso"}}';
  const changed = whole.replace('Autorizada', 'Autorizado');
  const differences = Array.from({ length: whole.length - 1 }, (_, at) =>
    [whole, changed].map((text) =>
      new Likeness().ofMessages(shown(whole, at + 1), { headers: [], body: Buffer.from(text) }, shifts),
    ),
  );
  expect(differences.map(([same]) => same)).toEqual(differences.map(() => undefined));
  expect(differences.at(-1)?.[1]).toMatch(/^\/data\/codigo is "Autorizado"/);
});

test('a value that was sent is no other that looks like it', () => {
  const likeness = new Likeness();
  likeness.sent('{"numero":"135000000000001"}', '{"numero":"135000000000001"}');
  expect(difference({ numero: '135000000000077' }, { numero: '135000000000001' }, likeness)).toBeDefined();
  expect(difference({ numero: '135000000000077' }, { numero: '135000000000088' }, likeness)).toBeUndefined();
});

test('an echo as it was sent is none that the report hides, though it is as long: what a run has sent it shows', () => {
  const likeness = new Likeness();
  likeness.sent('{"message":"\uFEFFa \\"b\\""}', '{"message":"\uFEFFa \\"b\\""}');
  const echoed = (was: string, is: string) => difference({ data: { echo: was } }, { data: { echo: is } }, likeness);
  expect(echoed('… 6 characters ~k7f2', '\uFEFFa “b”')).toBeUndefined();
  expect(echoed('… 6 characters ~k7f2', '\uFEFFa "b"')).toMatch(/^\/data\/echo is .*, in the run /);
  expect(echoed('… 5 characters ~k7f2"', '\uFEFFa "b"')).toBeUndefined();
  expect(echoed('… 4 characters ~k7f2"', '\uFEFFa "b"')).toMatch(/^\/data\/echo is /);
});

test('what the report hides is nothing that it would show', () => {
  const likeness = new Likeness();
  likeness.same('app-267e0f5401', 'app-3620c37cc5');
  const named = (is: string) =>
    difference({ data: { appKey: '… 5 letters ~y8ot' } }, { data: { appKey: is } }, likeness);
  expect(named('other')).toBeUndefined();
  expect(named('app-3620c37cc5')).toMatch(/^\/data\/appKey is /);
});

test('the id of an event that the report hides is the same where it has the same mark, and another where it has another', () => {
  const likeness = new Likeness();
  const event = (was: string, is: string) => {
    const [before, now] = [`… 9 letters ~${was}`, is].map((id) => [['X-Service-Delivery-Id', id]] as const);
    return likeness.ofMessages({ headers: before ?? [] }, { headers: now ?? [], body: Buffer.from('') }, shifts);
  };
  expect([event('z1bg', 'Tg6ked75o'), event('z1bg', 'Tg6ked75o')]).toEqual([undefined, undefined]);
  expect([event('aa11', 'Tg6ked75o'), event('z1bg', 'another one')]).toEqual([
    'header x-service-delivery-id: "Tg6ked75o", in the run … 9 letters ~aa11',
    'header x-service-delivery-id: a text of 11 characters, in the run … 9 letters ~z1bg',
  ]);
});

test('the id of a company is made anew, whatever it looks like', () => {
  const likeness = new Likeness();
  expect(difference({ empresaId: 'E:sSd0-jQ@1~' }, { empresaId: 'E:CuSkJPQ@1~' }, likeness)).toBeUndefined();
  expect(likeness.translated('/empresas/E:sSd0-jQ@1~/nf-e')).toBe('/empresas/E:CuSkJPQ@1~/nf-e');
  expect(difference({ empresaId: 'E:other-one' }, { empresaId: 'E:CuSkJPQ@1~' }, likeness)).toMatch(/^\/empresaId is /);
});

test.each([
  ['<nfeProc><b>1</b><c/></nfeProc>', '<nfeProc><b>2</b></nfeProc>', 'the end in a document, where in the run c was'],
  ['<nfeProc><b>1</b><c/></nfeProc>', '<nfeProc><b>2</b><c/></nfeProc>', undefined],
  ['<nfeProc><… 9 characters ~k7f2>1</nfeProc>', '<nfeProc><ICMSSN102>1</nfeProc>', undefined],
  ['<html><body><b>1</b></body></html>', '<html><body><i>2</i></body></html>', undefined],
])('a document is alike that has the same elements: %s and %s', (was, is, told) => {
  const message = { headers: [], body: Buffer.from(is) };
  expect(new Likeness().ofMessages(shown(was), message, shifts)).toBe(told);
});

test('a number that the report hides is another number, and no text', () => {
  const was = '{"nfeId": … 21 characters ~k7f2, "tipo": "NF-e"}';
  const differenceFrom = (is: unknown) =>
    new Likeness().ofMessages(shown(was), { headers: [], body: Buffer.from(JSON.stringify(is)) }, shifts);
  expect(differenceFrom({ nfeId: 9e21, tipo: 'NF-e' })).toBeUndefined();
  expect(differenceFrom({ nfeId: '90071992547409931', tipo: 'NF-e' })).toMatch(/^\/nfeId is a text of 17 digits/);
  expect(
    difference({ xMotivo: 'Rejeitada [… 15 digits]' }, { xMotivo: 'Rejeitada [351000000000017]' }),
  ).toBeUndefined();
});

test.each([
  ['<xNome>… 5 letters ~y8ot</xNome>', '<xNome>Ana</xNome>', '{"senha":"a word"}'],
  ['a $NFE_APP_KEY', 'a key', 'the key'],
])('what a report hides as %s may be %s and not %s', (masked, alike, other) => {
  expect([fits(masked, alike), fits(masked, other)]).toEqual([true, false]);
});

test.each([
  ['… 16 characters ~7kx0', 'invoice.verify.completed'],
  ['invoice.… 8 letters ~rhye', 'invoice.verify.completed'],
  ['… 9 characters ~tont', 'https://service.example/nf-e/1'],
  ['… 9 characters ~tont', '35261099999991000125550010000010011172904576'],
  ['… 44 digits ~tont', `CTe352610${'9'.repeat(35)}`],
  ['… 3 letters ~tont', 'a message of many words'],
])('what the report hides as %s is no %s, which it would have shown', (hidden, is) => {
  const expected = 'invoice.verify.completed in body and header';
  expect(difference({ data: hidden }, { data: is }, new Likeness(expected))).toMatch(/^\/data is /);
});

test('what the report hides may be any other text of such a form, but no id that was sent', () => {
  const likeness = new Likeness('invoice.verify.completed in body and header');
  const sent = '{"id":"nota ção 12345","cpfCnpj":"99999999000191"}';
  likeness.sent(sent, sent);
  expect(difference({ data: '… 16 characters ~7kx0' }, { data: 'invoice.verified' }, likeness)).toBeUndefined();
  expect(difference({ cpfCnpj: '… 14 digits ~xjza' }, { cpfCnpj: '99999999000191' }, likeness)).toBeUndefined();
  expect(difference({ nfeId: '… 16 characters ~7kx0' }, { nfeId: 'nota ção 12345' }, likeness)).toMatch(
    /^\/nfeId is "n/,
  );
});

test('a member whose name is hidden is compared where one alone may be it', () => {
  const was = { '… 8 letters ~1gbk': 'https://a.example/$linkToken/xml', status: 'Autorizada' };
  const likeness = new Likeness();
  expect(difference(was, { linkBaix: 'https://a.example/9/xml', status: 'Autorizada' }, likeness)).toBeUndefined();
  expect(likeness.takeLinks()).toMatchObject([{ is: 'https://a.example/9/xml', leadsTo: 'xml' }]);
  expect(difference(was, { linkBaix: 5, status: 'Autorizada' })).toBe(
    '/linkBaix is 5, in the run "https://a.example/$linkToken/xml"',
  );
  expect(difference(was, { linkBaix: 5, linkOutr: 5, status: 'Autorizada' })).toBeUndefined();
  expect(difference(was, { linkBaix: 'https://a.example/9/xml', status: 'Negada' })).toMatch(/^\/status is/);
});

test('an ellipsis that was sent hides nothing', () => {
  expect([hasMask('a … b'), hasMask('a … 5 letters b')]).toEqual([false, true]);
});

test.each<[string, unknown, unknown, string]>([
  [
    'a name where the report hides one',
    { nome: '… 5 letters' },
    { nome: 'Ana Lima da Conceição de Souza' },
    '/nome is a text of 30 characters',
  ],
  [
    'an object where an array was',
    [{ nome: 1 }],
    { nome: 'ANA LIMA', ni: '52998224725' },
    'the body is an object with nome, ni',
  ],
  [
    'a number of somebody in the place of a word',
    { ni: 'nobody' },
    { ni: '52998224725' },
    '/ni is a text of 11 digits',
  ],
  [
    'a word in the place of one that the report shows',
    { status: 'Negada' },
    { status: 'Autorizada' },
    '/status is "Autorizada"',
  ],
  ['a code', { code: 10009003 }, { code: 10009002 }, '/code is 10009002'],
])('%s is told without what is of people', (_, was, is, told) => {
  expect(difference(was, is)).toContain(`${told}, in the run `);
});
