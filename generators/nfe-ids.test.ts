import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alterationOf, freshId, isAlteredId, nfeId, tellingIds, unusualId } from './nfe-ids.ts';
import { instanceOf } from './from-schema.ts';
import { jsonSpelling, isObject } from './json.ts';
import { issuanceCall } from './issuance.ts';

const seeded = { numRuns: 4000, seed: 1729 };

/** The share of values that match. */
function share(values: readonly string[], pattern: RegExp): number {
  return values.filter((value) => pattern.test(value)).length / values.length;
}

/** The path of a request for that segment, as a client sends it. */
function sentPath(segment: string): string {
  return new URL(`/nf-e/${segment}`, 'http://host').pathname;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

describe('an id', () => {
  const ids = fc.sample(nfeId(), seeded);

  test.each([
    ['generated', ids],
    ['telling', tellingIds],
  ])('that is %s has 1 to 60 harmless characters, and no client changes it in a path', (_what, some) => {
    for (const id of some) {
      expect(id).toMatch(/^[A-Za-z0-9._-]{1,60}$/);
      expect(sentPath(id)).toBe(`/nf-e/${id}`);
      expect(encodeURIComponent(id)).toBe(id);
    }
  });

  test('is never made of dots alone', () => {
    const many = fc.sample(nfeId(), { numRuns: 200_000, seed: 1 });
    expect(many.filter((id) => /^\.*$/.test(id))).toEqual([]);
  });

  test.each([
    ['one character', /^.$/],
    ['more than 50 characters', /^.{51}/],
    ['digits only', /^\d+$/],
    ['leading zeros', /^0\d/],
    ['capitals only', /^[A-Z]+$/],
    ['small letters only', /^[a-z]+$/],
    ['both cases', /^(?=.*[a-z])(?=.*[A-Z])/],
    ['a dot', /\./],
    ['a dash', /-/],
    ['an underscore', /_/],
    ['a UUID in small letters', /^[\da-f]{8}-[\da-f-]{27}$/],
    ['a UUID in capitals', /^[\dA-F]{8}-[\dA-F-]{27}$/],
  ])('has %s in one of two hundred at least', (_what, pattern) => {
    expect(share(ids, pattern)).toBeGreaterThan(0.005);
  });

  test('is sometimes a word or a number that code would mistake for something else', () => {
    expect(ids).toEqual(expect.arrayContaining(['null', 'true', 'constructor', '__proto__', '007', '1e5']));
  });

  test('shrinks to one small letter, whatever it was', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const { counterexample } = fc.check(
        fc.property(nfeId(), () => false),
        { seed },
      );
      expect(counterexample?.[0]).toBe('a');
    }
  });
});

describe('a fresh id', () => {
  test('is harmless, has 60 characters at most and was never there before', () => {
    const shapes = [...fc.sample(nfeId(), seeded), ...tellingIds, ...tellingIds];
    const fresh = shapes.map(freshId);
    for (const id of fresh) expect(id).toMatch(/^(?!\.+$)[A-Za-z0-9._-]{1,60}$/);
    expect(new Set([...fresh, ...shapes.map(freshId)]).size).toBe(2 * shapes.length);
  });

  test.each([
    ['digits', '7', /^7\d{12}$/],
    ['more digits than a number holds', '90071992547409931', /^90071992547409931\d{16}$/],
    ['a number with an exponent', '1e5', /^1\d{12}1e5$/],
    ['a hexadecimal number', '0x10', /^0x10\d{12}$/],
    ['many digits', '7'.repeat(60), /^7{44}\d{16}$/],
    ['a name with an extension', 'pedido.xml', /^pedido-[a-z\d]{12}\.xml$/],
    ['small letters', 'null', /^null-[a-z\d]{12}$/],
    ['capitals', 'PEDIDO-1', /^PEDIDO-1-[A-Z\d]{12}$/],
    ['a UUID', '6f1d2c3b-4a59-4e68-9f70-8a1b2c3d4e5f', /^(?!6f1d2c3b)[\da-f-]{36}$/],
    ['a UUID in capitals', '6F1D2C3B-4A59-4E68-9F70-8A1B2C3D4E5F', /^(?!6F1D2C3B)[\dA-F-]{36}$/],
    ['60 characters', 'Ab'.repeat(30), /^(Ab){23}A-[a-z\d]{12}$/],
    ['200 characters', 'Ab'.repeat(100), /^(Ab){93}A-[a-z\d]{12}$/],
  ])('of %s keeps the shape', (_what, shape, pattern) => {
    const id = freshId(shape);
    expect(id).toMatch(pattern);
    expect(uuid.test(id)).toBe(uuid.test(shape));
  });
});

describe('an unusual id', () => {
  const ids = fc.sample(unusualId(), seeded);

  test('has 1 to 200 characters and a path keeps it when it is escaped', () => {
    for (const id of ids) {
      expect(id.isWellFormed()).toBe(true);
      expect(Array.from(id).length).toBeLessThanOrEqual(200);
      expect(decodeURIComponent(sentPath(encodeURIComponent(id)))).toBe(`/nf-e/${id}`);
      expect(encodeURIComponent(id) !== id || id.length > 60).toBe(true);
    }
  });

  test.each([
    ['a space', / /],
    ['an accent', /[À-ÿ]/],
    ['a combining accent', /\u0327/],
    ['a slash', /\//],
    ['an escape as text', /%2F/],
    ['a query', /\?/],
    ['an astral character', /[\u{10000}-\u{10FFFF}]/u],
    ['200 characters', /^[^]{200}$/u],
  ])('has %s in one of two hundred at least', (_what, pattern) => {
    expect(share(ids, pattern)).toBeGreaterThan(0.005);
  });
});

test.each([
  ['nfeId', nfeId],
  ['unusualId', unusualId],
])('one seed repeats every %s', (_name, arbitrary) => {
  const sample = (seed: number): string[] => fc.sample(arbitrary(), { numRuns: 100, seed });
  expect(sample(1)).toEqual(sample(1));
  expect(sample(2)).not.toEqual(sample(1));
});

const body = { id: 'of the profile', ambienteEmissao: 'Producao', cliente: { nome: 'Ação', id: 'c1' }, itens: [1] };
const fields = { id: 'n1', ambienteEmissao: 'Homologacao' };

function parsed(rawBody: Buffer | undefined): unknown {
  return JSON.parse(rawBody?.toString('utf8') ?? '');
}

describe('an issuance', () => {
  test('is a JSON request to the company, compact and without escapes', () => {
    expect(issuanceCall('e1', { a: 'ção' }, fields)).toEqual(
      expect.objectContaining({
        method: 'POST',
        path: '/openapi/v2/empresas/e1/nf-e',
        contentType: 'application/json',
        rawBody: Buffer.from('{"a":"ção","id":"n1","ambienteEmissao":"Homologacao"}'),
      }),
    );
  });

  test('has the named fields instead of those of the body, once, and keeps all else', () => {
    const { rawBody } = issuanceCall('e1', body, fields);
    expect(parsed(rawBody)).toEqual({ ...body, ...fields });
    expect(rawBody?.toString('utf8').match(/"ambienteEmissao"/g)).toHaveLength(1);
  });

  test.each(['id', 'ambienteEmissao'] as const)('lacks %s when it is undefined, though the body has it', (field) => {
    const { [field]: _left, ...rest } = { ...body, ...fields };
    expect(parsed(issuanceCall('e1', body, { ...fields, [field]: undefined }).rawBody)).toEqual(rest);
  });

  test.each([null, 7, ['Homologacao'], ''])('can carry a wrong value: %j', (ambienteEmissao) => {
    const { rawBody } = issuanceCall('e1', body, { id: 'n1', ambienteEmissao });
    expect(parsed(rawBody)).toMatchObject({ id: 'n1', ambienteEmissao });
  });

  test('means the same in every spelling', () => {
    fc.assert(
      fc.property(jsonSpelling(), instanceOf({ type: 'object' }), (write, content) => {
        const some = isObject(content) ? content : {};
        expect(parsed(issuanceCall('e1', some, fields, write).rawBody)).toEqual({ ...some, ...fields });
      }),
      { numRuns: 500 },
    );
  });

  test('is spelled in many ways', () => {
    const texts = fc
      .sample(jsonSpelling(), { numRuns: 500, seed: 1729 })
      .map((write) => issuanceCall('e1', body, fields, write).rawBody?.toString('utf8') ?? '');
    for (const pattern of [/^\{"ambienteEmissao"/, /"id": "n1"/, /\r\n/, /A\\u00e7\\u00e3o/, /"\\u0069d"|"i\\u0064"/]) {
      expect(texts.some((text) => pattern.test(text))).toBe(true);
    }
  });

  test('is shown in counterexamples with its body', () => {
    expect(fc.stringify(issuanceCall('e1', {}, fields))).toContain(String.raw`\"id\":\"n1\"`);
  });
});

describe('an id that came', () => {
  const sent = 'Ação & nº 1 🧾-kx81mqz2p04w';

  test.each([
    sent.toLowerCase(),
    sent.toUpperCase(),
    sent.normalize('NFD'),
    encodeURIComponent(sent),
    sent.replace('&', '&amp;'),
    sent.replaceAll(/[^\x20-\x7e]/g, ''),
    sent.replaceAll(/[^\x20-\x7e]/gu, '?'),
    sent.replaceAll(/\W/g, '_'),
    Buffer.from(sent.slice(0, 12)).toString('utf8'),
  ])('is one that was sent, altered: %s', (came) => {
    expect(isAlteredId(came, sent)).toBe(true);
  });

  test.each([sent, '', 'Ação', 'Ação & nº 1 🧾-kx81mqz2p04v', '35260911222333000181550010000000011000000017'])(
    'is no other one: %s',
    (came) => {
      expect(isAlteredId(came, sent)).toBe(false);
    },
  );

  test.each([
    [sent.toLowerCase(), 'in small letters'],
    [encodeURIComponent(sent), 'percent-encoded'],
    ['another', 'otherwise'],
  ])('is told how it differs: %s', (came, how) => {
    expect(alterationOf(came, sent)).toBe(how);
  });

  test('of digits is the number that was sent, as far as a number has digits', () => {
    expect(isAlteredId('9007199254740992', '90071992547409931')).toBe(false);
    expect(isAlteredId('90071992547409940', '90071992547409931')).toBe(true);
    expect(isAlteredId('4711471147', '0004711471147')).toBe(true);
    const [sent, other] = ['900719925474099315744767292689848', '900719925474099315657054731552657'];
    // A reader of numbers takes them for one, and one is not the other for that.
    expect(Number(sent)).toBe(Number(other));
    expect(isAlteredId(other, sent)).toBe(false);
    expect(isAlteredId(String(Number(sent)), sent)).toBe(true);
    expect(isAlteredId(String(BigInt(Number(sent))), sent)).toBe(true);
  });
});
