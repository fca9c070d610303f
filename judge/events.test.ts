import { describe, expect, test } from 'vitest';
import type { DeliveryRecord } from '../trace/records.ts';
import { authorised, callbackOf } from './testing/deliveries.ts';
import { brokenByHistory } from './testing/histories.ts';

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
