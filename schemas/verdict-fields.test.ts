import { expect, test } from 'vitest';
import { allFields, fieldsOfVerdict, lostFields } from './verdict-fields.ts';

const valid = { validationStatus: 'VALIDATED', cStat: null };
const rejected = { validationStatus: 'REJECTED', reason: 'x' };
const before = allFields([valid, rejected].map(fieldsOfVerdict));

test('a field that is there no more is lost, and one that is null is not', () => {
  expect(lostFields(before, fieldsOfVerdict(valid))).toEqual([]);
  expect(lostFields(before, fieldsOfVerdict({ validationStatus: 'VALIDATED' }))).toEqual(['cStat (VALIDATED)']);
});

test('an added field and another kind of verdict lose nothing', () => {
  for (const now of [{ ...valid, extra: 1 }, rejected, { validationStatus: 'NEW' }])
    expect(lostFields(before, fieldsOfVerdict(now))).toEqual([]);
});

test('what is no object has no fields', () => {
  for (const none of [undefined, null, 'text', []]) expect(fieldsOfVerdict(none)).toEqual({});
});
