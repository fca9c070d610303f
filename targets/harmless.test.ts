import { describe, expect, test } from 'vitest';
import { endpoints } from '../contract/endpoints.ts';
import { probeCall } from '../generators/calls.ts';
import { mayLeaveNew, twinOf } from './harmless.ts';
import { foreignAddress } from './testing/foreign-address.ts';

const known = foreignAddress('http://127.0.0.1:9');
const controlled = foreignAddress('http://127.0.0.1:9', { control: { url: 'http://127.0.0.1:9', token: 't' } });
const makers = new Set(['empresa-registration', 'webhook-registration', 'nfe-issuance']);

describe.each(endpoints)('an untouched probe of $name', ({ name }) => {
  const call = probeCall(name, 'application/xml');
  const isMaker = makers.has(name);

  test(`${isMaker ? 'might leave' : 'leaves nothing'} at a target without control API`, () => {
    expect(mayLeaveNew(known, call)).toBe(isMaker);
    expect(twinOf(known, call).path).toBe(isMaker ? '/openapi/demo/echo' : call.path);
  });

  test('is sent as it is where the checks have applications of their own', () => {
    expect(mayLeaveNew(controlled, call)).toBe(false);
    expect(twinOf(controlled, call)).toBe(call);
  });
});
