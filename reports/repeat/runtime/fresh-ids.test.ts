import { expect, test } from 'vitest';
import { freshIds } from './fresh-ids.ts';
import { Likeness } from './likeness.ts';
import type { Step } from '../../../schemas/evidence.ts';

/** A call of the run under that id, and what it was answered. */
function issued(id: string, status = 200): Step {
  const text = JSON.stringify({ id, tipo: 'NF-e' });
  const body = { text, bytes: text.length, encoding: 'utf-8' as const };
  const request = { method: 'POST', target: '/openapi/v2/empresas/E1/nf-e', headers: [], body };
  const response = { status, headers: [], body: { text: '', bytes: 0, encoding: 'utf-8' as const } };
  return { kind: 'call', application: 'NFE_APP_SECRET', evidence: { request, response, durationMs: 0 } };
}

/** Texts with what is new in the place of what was. */
function translated(steps: readonly Step[], texts: readonly string[], isRefusalDue = true): string[] {
  const likeness = new Likeness();
  for (const [was, is] of freshIds(steps, isRefusalDue)) likeness.same(was, is);
  return texts.map((text) => likeness.translated(text));
}

test('an id that was issued under is another one, in every spelling that was like it', () => {
  const id = 'nota/ção-k3x9q0ze1m2a';
  const [now = '', path, capitals, cut] = translated(
    [issued(id), issued(id)],
    [id, encodeURIComponent(id), id.toUpperCase(), id.slice(0, -1)],
  );
  expect(now).toMatch(/^nota\/ção-[a-z]\d[a-z]\d[a-z]0[a-z]e\d[a-z]\d[a-z]$/);
  expect(now).not.toBe(id);
  expect([path, capitals, cut]).toEqual([encodeURIComponent(now), now.toUpperCase(), now.slice(0, -1)]);
});

test.each([
  ['that was sent last, and may be taken to be refused', [issued('nfe-k3x9q0ze1m2a')]],
  ['that was refused', [issued('nfe-k3x9q0ze1m2a', 400), issued('nfe-other')]],
])('an id %s stays', (_, steps) => {
  expect(translated(steps, ['nfe-k3x9q0ze1m2a'])).toEqual(['nfe-k3x9q0ze1m2a']);
});

test('an id that was sent last is another one where it was to be taken', () => {
  const [now] = translated([issued('nfe-k3x9q0ze1m2a')], ['nfe-k3x9q0ze1m2a'], false);
  expect(now).not.toBe('nfe-k3x9q0ze1m2a');
});

test('an id that ends in a word of its own is another one', () => {
  const [now = ''] = translated([issued('nfe-k3x9q0ze1m2a ção.json')], ['nfe-k3x9q0ze1m2a ção.json'], false);
  expect(now).toMatch(/^nfe-[\da-z]{12} ção\.json$/);
  expect(now).not.toContain('k3x9q0ze1m2a');
});
