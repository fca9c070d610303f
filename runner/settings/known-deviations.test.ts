import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SettingError } from './settings.ts';
import { clausesWithChecks, readKnownDeviations, refuseUnknownChecks } from './setting-files.ts';

const clauseIds = ['signature.order', 'signature.utf-8', 'echo.app-key'];
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nfe-known-deviations-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function written(text: string): string {
  const path = join(folder, 'file.json');
  writeFileSync(path, text);
  return path;
}

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('known deviations', () => {
  const read = (text: string): (() => unknown) => {
    return () => readKnownDeviations(written(text), clauseIds);
  };

  test('a list of clauses with reasons is taken', () => {
    expect(read('{"signature.order": "TICKET-1", "echo.app-key": "fixed in the next release"}')()).toEqual({
      'signature.order': 'TICKET-1',
      'echo.app-key': 'fixed in the next release',
    });
  });

  test('an empty list is taken', () => {
    expect(read('{}')()).toEqual({});
  });

  test('an id that is no clause is refused with the likeliest one', () => {
    expect(refusal(read('{"signature.odrer": "x"}'))).toMatch(
      /^NFE_KNOWN_DEVIATIONS: .*"signature.odrer", which is no clause: did you mean signature.order\?$/,
    );
  });

  test.each([
    ['an array', '["signature.order"]', /holds no JSON object$/],
    ['null', 'null', /holds no JSON object$/],
    ['an empty reason', '{"signature.order": " "}', /signature\.order in .* has no reason$/],
    ['a reason that is no text', '{"signature.order": 7}', /signature\.order in .* has no reason$/],
  ])('%s is refused', (_, text, message) => {
    const refused = refusal(read(text));
    expect(refused).toMatch(
      /^NFE_KNOWN_DEVIATIONS takes a JSON file of the form \{"<clause id>": "reason or ticket"\}: /,
    );
    expect(refused).toMatch(message);
  });

  describe('in the long form', () => {
    const gone = (...entries: object[]) => read(JSON.stringify({ 'echo.app-key': entries }));

    test('are taken with all that an entry may name, one alone without its array', () => {
      const entry = { reason: 'T', check: 'c', case: '404', by: 'Ana', until: '2026-12-31' };
      const endpoint = 'POST /openapi/nfe/verify/xml';
      expect(gone({ ...entry, endpoint }, { reason: 'U' })()).toEqual({
        'echo.app-key': [{ ...entry, endpoint }, { reason: 'U' }],
      });
      expect(read('{"echo.app-key": {"reason": "T"}}')()).toEqual({ 'echo.app-key': [{ reason: 'T' }] });
    });

    test.each([
      ['its name', 'nfe-query', 'GET /openapi/v2/empresas/{empresaId}/nf-e/{nfeId}'],
      ['its path', '/openapi/nfe/verify/xml', 'POST /openapi/nfe/verify/xml'],
      ['method and path', 'GET /openapi/cadastro/cnpj/{cnpj}', 'GET /openapi/cadastro/cnpj/{cnpj}'],
    ])('name an endpoint by %s', (_, endpoint, is) => {
      expect(gone({ reason: 'T', endpoint })()).toEqual({ 'echo.app-key': [{ reason: 'T', endpoint: is }] });
    });

    test.each([
      ['an unknown field', { reason: 'T', util: '2026-12-31' }, /there is no field "util": did you mean until\?$/],
      [
        'a field like no other',
        { reason: 'T', somebody: 'Ana' },
        /there is no field "somebody": an entry takes reason, /,
      ],
      ['no reason', { by: 'Ana' }, /it has no reason: an entry takes reason, /],
      ['an empty text', { reason: 'T', by: ' ' }, /by is no text: an entry takes reason, /],
      ['a number', { reason: 'T', until: 2026 }, /until is no text: /],
      ['a day that is none', { reason: 'T', until: '2026-02-30' }, /until takes the last day .*, not "2026-02-30"$/],
      ['a day of another form', { reason: 'T', until: '31/12/2026' }, /such as 2026-12-31, not "31\/12\/2026"$/],
      [
        'an unknown endpoint',
        { reason: 'T', endpoint: 'POST /openapi/nfe/verify/xnl' },
        /no endpoint is called .*: did you mean POST \/openapi\/nfe\/verify\/xml\?$/,
      ],
      [
        'a path as it was sent',
        { reason: 'T', endpoint: 'GET /openapi/cadastro/cnpj/12345678000195' },
        /its path is written as a template: GET \/openapi\/cadastro\/cnpj\/\{cnpj\}$/,
      ],
      [
        'a path of two endpoints',
        { reason: 'T', endpoint: '/openapi/v2/empresas/{empresaId}/nf-e/{nfeId}' },
        /stands for GET .* and for DELETE .*: name one of them$/,
      ],
    ])('are refused in one line that names the entry where it has %s', (_, entry, message) => {
      const refused = refusal(gone({ reason: 'first' }, entry));
      expect(refused).toMatch(/^NFE_KNOWN_DEVIATIONS: [^\n]*, echo\.app-key, entry 2: [^\n]*$/);
      expect(refused).toMatch(message);
    });

    test.each([
      ['no entry', []],
      ['what is none', ['TICKET-1']],
    ])('are refused where the array holds %s', (_, entries) => {
      expect(refusal(read(JSON.stringify({ 'echo.app-key': entries })))).toMatch(/has no reason$/);
    });

    test('are refused where no check of the clause has the title, with the nearest one', () => {
      const known = { 'echo.app-key': [{ reason: 'T' }, { reason: 'T', check: 'the ap key is told' }], 'echo.b': 'T' };
      const titles = new Map([['echo.app-key', ['the app key is told', 'another rule']]]);
      expect(clausesWithChecks(known)).toEqual(['echo.app-key']);
      expect(refusal(() => refuseUnknownChecks(known, titles))).toBe(
        'NFE_KNOWN_DEVIATIONS: echo.app-key, entry 2: no check of it is titled "the ap key is told": did you mean the app key is told?',
      );
      const right = { 'echo.app-key': [{ reason: 'T', check: 'the app key is told' }] };
      expect(refusal(() => refuseUnknownChecks(right, titles))).toBe('accepted');
    });
  });

  test('a file that is not JSON is refused without repeating what it holds', () => {
    const refused = refusal(read('NFE_APP_SECRET=hunter2'));
    expect(refused).toMatch(/^NFE_KNOWN_DEVIATIONS takes .* is not JSON$/);
    expect(refused).not.toMatch(/hunter2|NFE_APP_SECRET/);
  });

  test('a file that does not exist is refused', () => {
    const path = join(folder, 'none.json');
    expect(refusal(() => readKnownDeviations(path, clauseIds))).toMatch(/^NFE_KNOWN_DEVIATIONS takes .*\(ENOENT\)$/);
  });
});
