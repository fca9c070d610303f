import { describe, expect, test } from 'vitest';
import type { Call } from '../../contract/request.ts';
import { cnpjCheckDigits, cpfCheckDigits } from '../../generators/domain.ts';
import { consultasIn, jsonObjectIn, type Consultas } from '../../targets/profile.ts';
import { findNumbers } from './numbers.ts';
import { mostDraws, type Gathered } from './search.ts';
import { fakeSearch, profileOf } from './testing/searches.ts';

const consultas = {
  cnpj: '11222333000181',
  cpf: '52998224725',
  nascimento: '29021988',
  unknown: { cnpj: '99999999000191', cpf: '99999999050', nascimento: '01011980' },
};

/** The number that a lookup asks for. */
function numberIn({ path }: Call): string {
  return /consultas\/(?:cnpj|cpf)\/(\d+)/.exec(path)?.[1] ?? '';
}

/** What is found where the registries answer so, and which numbers they were asked for. */
async function foundWhere(statusOf: (number: string, asked: readonly string[]) => number, content = consultas) {
  const asked: string[] = [];
  const { search, told } = fakeSearch([profileOf({ 'consultas.json': content })], (call) => {
    asked.push(numberIn(call));
    const status = statusOf(numberIn(call), asked);
    return { status, json: status === 200 ? { nome: 'Maria de Exemplo' } : { code: 1, message: 'nada consta' } };
  });
  return { gathered: await findNumbers(search), asked, told };
}

function partsOf({ found }: Gathered): string[] {
  return found.map(({ part = '' }) => part).toSorted((a, b) => a.localeCompare(b));
}

function fileIn({ files }: Gathered): Consultas {
  const place = { path: 'consultas.json', takes: 'numbers' };
  return consultasIn(place, jsonObjectIn(place, files.get('consultas.json') ?? Buffer.alloc(0)));
}

const all = ['cnpj', 'cpf', 'unknown.cnpj', 'unknown.cpf'];
const known: readonly string[] = [consultas.cnpj, consultas.cpf];

describe('numbers', () => {
  test('that come out as a folder says are taken as they stand, each looked up once', async () => {
    const { gathered, asked } = await foundWhere((number) => (known.includes(number) ? 200 : 404));
    expect(partsOf(gathered)).toEqual(all);
    expect(fileIn(gathered)).toEqual(consultas);
    expect(asked).toHaveLength(4);
  });

  test('that are to be unknown are drawn anew, with right check digits, until one is', async () => {
    const given = new Set([...known, consultas.unknown.cnpj, consultas.unknown.cpf]);
    const drawn = (asked: readonly string[], length: number): number =>
      asked.filter((number) => number.length === length && !given.has(number)).length;
    const { gathered, asked } = await foundWhere((number, before) =>
      given.has(number) || drawn(before, number.length) < 3 ? 200 : 404,
    );
    expect(partsOf(gathered)).toEqual(all);
    expect(drawn(asked, 14)).toBe(3);
    const { unknown } = fileIn(gathered);
    expect(unknown.cnpj).toBe(unknown.cnpj.slice(0, 12) + cnpjCheckDigits(unknown.cnpj.slice(0, 12)));
    expect(unknown.cpf).toBe(unknown.cpf.slice(0, 9) + cpfCheckDigits(unknown.cpf.slice(0, 9)));
    expect([asked.includes(unknown.cnpj), given.has(unknown.cnpj)]).toEqual([true, false]);
  });

  test('are drawn so often and no more where the registries know everybody', async () => {
    const { gathered, asked } = await foundWhere(() => 200);
    expect(partsOf(gathered)).toEqual(['cnpj', 'cpf']);
    expect(gathered.lacking.map(({ part }) => part)).toEqual(['unknown.cnpj', 'unknown.cpf']);
    expect(asked).toHaveLength(2 * (2 + mostDraws));
  });

  test('of somebody who happens to exist are not taken for known ones', async () => {
    const unclear = new Set([consultas.unknown.cnpj, consultas.unknown.cpf]);
    const { gathered, asked } = await foundWhere((number) =>
      known.includes(number) ? 404 : unclear.has(number) ? 500 : 200,
    );
    expect(asked).toHaveLength(2 * (2 + mostDraws));
    expect(gathered.found).toEqual([]);
    expect(gathered.files.size).toBe(0);
  });

  test('that a folder calls unknown are taken for known ones where they are', async () => {
    const { unknown, ...others } = consultas;
    const { gathered } = await foundWhere((number) => (known.includes(number) ? 200 : 404), {
      ...unknown,
      unknown: others,
    });
    expect(partsOf(gathered)).toEqual(all);
    expect([fileIn(gathered).cnpj, fileIn(gathered).cpf]).toEqual(known);
  });

  test('prove nothing where the gateway bars the lookup or breaks', async () => {
    for (const status of [403, 500]) {
      const { gathered } = await foundWhere(() => status);
      expect(gathered.found).toEqual([]);
      expect(gathered.files.size).toBe(0);
      expect(gathered.lacking).toHaveLength(4);
    }
  });

  test('are told without what a registry says of somebody', async () => {
    const { told } = await foundWhere((number) => (known.includes(number) ? 200 : 404));
    expect(told.join('\n')).not.toContain('Maria');
    expect(told.join('\n')).toContain('this CNPJ is not known: 404: {"code":1,"message":"nada consta"}');
  });
});
