import { describe, expect, test } from 'vitest';
import { commonFacts, factsOf, type Facts } from './facts.ts';
import { recordOf } from './testing/records.ts';

const telling = (broken: readonly Facts[], right: readonly Facts[]): string[] =>
  commonFacts(broken, right).flatMap((fact) => (fact.telling ? [`${fact.name}=${fact.value}`] : []));

test('what all broken records have and no right one is telling', () => {
  const broken = [
    { endpoint: 'POST /a', caller: 'active' },
    { endpoint: 'POST /a', caller: 'disabled' },
  ];
  expect(telling(broken, [{ endpoint: 'POST /b', caller: 'active' }])).toEqual(['endpoint=POST /a']);
});

test('two things together are telling where neither is alone', () => {
  const broken = [{ endpoint: 'POST /a', caller: 'disabled', language: 'en' }];
  const right = [
    { endpoint: 'POST /a', caller: 'active', language: 'en' },
    { endpoint: 'POST /b', caller: 'disabled', language: 'en' },
  ];
  expect(telling(broken, right)).toEqual(['endpoint=POST /a', 'caller=disabled']);
});

test('what came is common, but no condition: nothing is telling where right records are like the broken ones', () => {
  const broken = [{ endpoint: 'POST /a', status: '404' }];
  expect(commonFacts(broken, [{ endpoint: 'POST /a', status: '200' }])).toEqual([
    { name: 'endpoint', value: 'POST /a' },
    { name: 'status', value: '404' },
  ]);
});

test('where nothing is right, nothing tells the broken from it', () => {
  expect(telling([{ endpoint: 'POST /a' }], [])).toEqual([]);
});

test.each([
  [{}, 'at once'],
  [{ 'transfer-encoding': 'chunked' }, 'in chunks'],
  [{ expect: '100-continue' }, 'after Expect: 100-continue'],
])('with the headers %j a body was sent %s', (requestHeaders, transfer) => {
  expect(factsOf(recordOf({ requestHeaders }))).toMatchObject({ transfer });
});

describe('a connection', () => {
  const right = [{ endpoint: 'POST /a', connection: '1' }];
  const broken = ['POST /a', 'POST /b', 'POST /c'].map((endpoint) => ({ endpoint, connection: '2' }));

  test('tells where several kinds of records came over it, and were broken', () => {
    expect(telling(broken, right)).toEqual(['connection=2']);
  });

  test('tells nothing of one record, which had to have some', () => {
    expect(telling(broken.slice(0, 1), right)).toEqual([]);
  });
});
