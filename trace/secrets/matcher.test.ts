import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { secretMatcher } from './matcher.ts';
import { leastPart } from './pattern.ts';
import { secrets, tokens, writings, type Writing } from './testing/writings.ts';

const stand = '$NFE_APP_SECRET';
const canary = 'k9/Xq+7=Zw~é&4"tB';
const matcher = secretMatcher([{ secret: canary, stand }]);

describe('a secret is found', () => {
  test.each(writings)('in $name', ({ write }) => {
    expect(matcher.hide(`<before> ${write(canary)} <after>`)).toMatch(
      /^<before> .{0,6}\$NFE_APP_SECRET.{0,6} <after>$/s,
    );
  });

  test('in two layers of any of these', () => {
    for (const inner of writings) {
      for (const outer of writings) {
        const text = outer.write(inner.write(canary));
        const [found] = matcher.find(`(${text})`);
        expect(found, `${outer.name} around ${inner.name}: ${text}`).toMatchObject({ stand });
      }
    }
  });

  test('in a JSON text within two others, with escapes of escapes of its own', () => {
    const hex = (one: string): string => one.charCodeAt(0).toString(16).padStart(4, '0');
    const escaped = canary.replaceAll(/[^]/g, (one) => `\\\\u005Cu${hex(one)}`);
    const nested = [1, 2, 3].reduce((text) => JSON.stringify({ a: text }), `{"a":"${escaped}"}`);
    expect(matcher.find(nested)).toMatchObject([{ stand }]);
  });

  test(
    'in the whole of what was written, whichever the secret, the layers and what stands around it',
    { timeout: 120_000 },
    () => {
      const around = fc.string({ maxLength: 20 });
      const layers = fc.array(fc.constantFrom(...writings), { maxLength: 2 });
      fc.assert(
        fc.property(secrets, layers, around, around, (secret, wrapped, before, after) => {
          // Of a secret with quotes in it nobody can say which are its own.
          const hasQuotes = /["'`]/.test(secret);
          const written = laid(
            secret,
            wrapped.filter(({ name }) => !(hasQuotes && /quotes|program/.test(name))),
          );
          const hidden = secretMatcher([{ secret, stand }]).hide(`${before}\u{2400}${written}\u{2400}${after}`);
          const left = hidden.slice(hidden.indexOf('\u{2400}'), hidden.lastIndexOf('\u{2400}')).replaceAll(stand, '');
          // Of a layer's own, a few characters stay: the end of base64, a part of what stood beside it.
          expect(left.length, `${wrapped.map(({ name }) => name).join(' in ')}: ${left}`).toBeLessThan(48);
        }),
        { numRuns: 10_000 },
      );
    },
  );

  test('cut at its start or at its end, down to 8 characters', { timeout: 60_000 }, () => {
    const layer = fc.constantFrom(undefined, ...writings);
    fc.assert(
      fc.property(tokens, layer, fc.nat(), fc.boolean(), (secret, writing, more, isEnd) => {
        const length = leastPart + (more % (secret.length - leastPart + 1));
        const part = isEnd ? secret.slice(-length) : secret.slice(0, length);
        // `~0` and `~1` are one character each where a text is read as a JSON pointer.
        fc.pre(part.replaceAll(/~[01]/g, '~').length >= leastPart);
        const written = writing ? writing.write(part) : part;
        expect(secretMatcher([{ secret, stand }]).find(`(${written})`)).not.toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });

  test('in UTF-16 whole, though quotes stand side by side in it', () => {
    const secret = "aaaaaa\\+'`aaaaaa";
    const written = Buffer.from(secret, 'utf16le').swap16().toString('latin1');
    const { hide } = secretMatcher([{ secret, stand }]);
    for (const text of [written, JSON.stringify(written).slice(1, -1)])
      expect(hide(`<${text}>`)).toMatch(/^<(?:\\u0000|\0)\$NFE_APP_SECRET>$/);
  });

  test('in capitals where it is hexadecimal', () => {
    const hex = '3f9a8c1b2d4e5f60718293a4b5c6d7e8';
    const { hide } = secretMatcher([{ secret: hex, stand }]);
    expect(hide(`"${hex.toUpperCase()}"`)).toBe(`"${stand}"`);
  });

  test('on the border of two windows of a long text', () => {
    const { hide } = secretMatcher([{ secret: canary, stand }]);
    for (const before of [262_144, 262_140, 245_760, 245_750, 524_288]) {
      const text = `${'.'.repeat(before - 8)}${canary}${'.'.repeat(300_000)}`;
      expect(hide(text)).toBe(text.replace(canary, () => stand));
    }
  });
});

describe('what was found tells', () => {
  test('whether it is the whole secret', () => {
    expect(matcher.find(`a ${canary} b`)).toMatchObject([{ from: 2, to: 2 + canary.length, isWhole: true }]);
    expect(matcher.find(`a ${canary.slice(1)} b`)).toMatchObject([{ isWhole: false }]);
  });

  test('what it was wrapped in', () => {
    const inBase64 = Buffer.from(canary.replaceAll('/', String.raw`\u002f`)).toString('base64');
    expect(matcher.find(inBase64)).toMatchObject([{ ways: ['base64', 'escapes'] }]);
  });

  test('each of several secrets by its own name', () => {
    const two = secretMatcher([
      { secret: 'first-secret-1', stand: '$ONE' },
      { secret: 'other-secret-2', stand: '$TWO' },
    ]);
    expect(two.hide('other-secret-2 first-secret-1')).toBe('$TWO $ONE');
    expect(two.sought).toBe(2);
  });
});

describe('nothing is found', () => {
  test('in texts that only look alike', () => {
    for (const text of [
      '',
      'k9/Xq+7',
      'k9/Xq-7=Zw',
      'before after',
      '&#9999999; &#xffffff; \\uZZZZ %zz',
      canary.slice(0, 7),
    ])
      expect(matcher.find(text)).toEqual([]);
  });

  test('where everything was hidden', () => {
    for (const { write } of writings) expect(matcher.find(matcher.hide(write(canary)))).toEqual([]);
  });

  test('in what stands for a secret', () => {
    const named = secretMatcher([{ secret: 'NFE_APP_SECRET_2', stand }]);
    expect(named.find(`${stand} and $NFE_APP_SECRET`)).toEqual([]);
    expect(named.find('NFE_APP_SECRET_2')).toHaveLength(1);
  });

  test('of a part that common texts hold; the whole is found all the same', () => {
    const secret = 'homologacao-83jd72';
    const { find } = secretMatcher([{ secret, stand }], { common: ['the sandbox is called Homologacao'] });
    expect(find('ambiente homologacao')).toEqual([]);
    expect(find(`x${secret}y`)).toMatchObject([{ isWhole: true }]);
    expect(find('gacao-83jd72')).toHaveLength(1);
  });

  test('of a part where only the whole counts', () => {
    const secret = 'made-for-this-run-1234';
    const { find } = secretMatcher([{ secret, stand, isWholeOnly: true }]);
    expect(find(secret.slice(1))).toEqual([]);
    expect(find(`x${secret}y`)).toHaveLength(1);
  });

  test('of a short secret but as a word of its own', () => {
    const { hide, sought } = secretMatcher([{ secret: 'a1/b', stand: '$SENHA' }]);
    expect(sought).toBe(0);
    expect(hide('senha=a1/b, "a1\\/b" xa1/by a1%2Fb')).toBe('senha=$SENHA, "a1\\/b" xa1/by $SENHA');
  });

  test('of an empty secret', () => {
    expect(secretMatcher([{ secret: '', stand }]).hide('text')).toBe('text');
  });
});

/** A text in its layers, the first one innermost. */
function laid(text: string, layers: readonly Writing[]): string {
  return layers.reduce((written, { write }) => write(written), text);
}
