import { describe, expect, test } from 'vitest';
import type { TraceRecord, DeliveryRecord } from '../trace/records.ts';
import { judgedInPassing, keptOf, openJudge, type Observation } from './judge.ts';
import { restsOnWay } from './predicate.ts';
import { recordOf, authorised, callbackOf } from './testing/records.ts';
import { newStory, type Coming, brokenByHistory } from './testing/story.ts';

/** What a judge says of an event that was refused, and of what came of it within two minutes. */
function saidOf(...retries: readonly Coming[]): readonly Observation[] {
  const story = newStory();
  story.save('a');
  story.verify();
  story.advance(0, () => story.comes({ context: { answer: 500 } }));
  story.advance(120, () => retries.forEach((retry) => story.comes(retry)));
  const judge = openJudge();
  return [...story.records.flatMap((record) => judge.see(record)), ...judge.end()];
}

function brokenAmong(said: readonly Observation[]): readonly (readonly [string, true | undefined])[] {
  return said.flatMap(({ clause, broken }) => (broken ? [[clause, broken.restsOnTime] as const] : []));
}

describe('what is seen broken', () => {
  test('may be the way’s where something did not come', () => {
    expect(brokenAmong(saidOf())).toEqual([['webhook-delivery.other-status-retried', true]]);
  });

  test('is the target’s where it is what came', () => {
    const stale = { at: 0, headers: { 'x-service-delivery-id': 'd-2' } };
    expect(brokenAmong(saidOf(stale))).toEqual([['webhook-delivery.fresh-timestamp-on-retry', undefined]]);
  });

  test('may be the way’s only of clauses that are judged', () => {
    expect([...restsOnWay].filter((clause) => !judgedInPassing.has(clause))).toEqual([]);
  });
});

describe('what a history keeps of a record', () => {
  const kept = (body: string): TraceRecord => keptOf(recordOf({ body }));
  const json = (length: number): string => JSON.stringify('x'.repeat(length - 2));

  test('is all of an answer of 64 KiB', () => {
    expect(kept(json(65_536))).toMatchObject({ body: { length: 65_536 }, json: 'x'.repeat(65_534) });
  });

  test('is all but the body of one that is larger', () => {
    const large = recordOf({ body: json(65_537), status: 201 });
    expect(keptOf(large)).toEqual({ ...large, body: Buffer.alloc(0), json: undefined });
  });

  test('is what is short of an invoice that was found', () => {
    const links = { xml: 'https://example.com/x', pdf: 'x'.repeat(70_000) };
    const found = recordOf({
      method: 'GET',
      target: '/openapi/v2/empresas/e/nf-e/1',
      body: JSON.stringify({ status: 'Autorizada', itens: [1], links }),
    });
    expect(keptOf(found)).toMatchObject({ json: { status: 'Autorizada', links: { xml: links.xml } } });
    expect(JSON.stringify(keptOf(found))).not.toContain('itens');
  });

  test('takes nothing from what is said of the answer alone', () => {
    const body = { success: false, code: 10009002, message: 'x'.repeat(70_000) };
    expect(brokenAmong(openJudge().see(recordOf({ status: 401, body })))).toContainEqual([
      'envelope.error-type',
      undefined,
    ]);
  });
});

const bare = ['issuance-callback.bare-object'] as const;

function attempt(body: string | object, caller = 'app-1'): DeliveryRecord {
  return { ...callbackOf(body), address: { name: `of ${caller}`, channel: 'issuance', caller } };
}

describe('an event that was a callback', () => {
  test.each([{}, { event: 'e-1' }, [], { redelivery: true, event: authorised }])('is no %j in a retry', (body) => {
    expect(brokenByHistory([attempt(authorised), attempt(body)], bare)).toEqual(bare);
  });

  test('may come again, and what others send under its id is theirs', () => {
    expect(brokenByHistory([attempt(authorised), attempt(authorised), attempt({}, 'app-2')], bare)).toEqual([]);
  });

  test('of what never was one nothing is said', () => {
    expect(brokenByHistory([attempt({}), attempt({ event: 'e-1' }), attempt(authorised)], bare)).toEqual([]);
  });
});
