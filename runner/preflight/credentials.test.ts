import { describe, expect, test } from 'vitest';
import type { TargetAnswer, Silence } from './answer.ts';
import type { Remark } from './finding.ts';
import { credentialRows, judgeCredentials, judgeSameSecrets, judgeUnset, type CredentialRow } from './credentials.ts';

const none = { data: {}, form: 'json' as const };

function row(setting: string): CredentialRow {
  const found = credentialRows.find((each) => each.setting === `NFE_APP_SECRET_${setting}`);
  if (!found) throw new Error(`no row for ${setting}`);
  return found;
}

const passes = { ...none, status: 200 };

/** What one secret is judged by its answer, where the active application passes. */
function judged(setting: string, answer: TargetAnswer | Silence): Remark {
  const [finding] = judgeCredentials([{ row: row(setting), answer }], passes);
  if (!finding) throw new Error('nothing was judged');
  return finding;
}

describe('a secret whose application is in the state of its setting is fine', () => {
  test.each([
    ['DISABLED', 403, 10009004],
    ['PENDING', 403, 10009015],
    ['REJECTED', 403, 10009015],
    ['INTEGRATOR_DISABLED', 403, 10009014],
    ['UNSUBSCRIBED', 403, 10009005],
    ['RATE_LIMITED', 429, 10009006],
    ['RATE_LIMITED', 200, undefined],
    ['ROTATED', 401, 10009002],
  ])('%s: %d/%d', (setting, status, code) => {
    const answer = { ...none, status, ...(code === undefined ? {} : { code }) };
    expect(judged(setting, answer).state).toBe('ok');
  });
});

describe('a secret whose application is in another state is a problem', () => {
  test.each([
    ['DISABLED', 200, undefined, 'the target says 200: this application is not disabled'],
    ['DISABLED', 403, 10009005, 'this application is not disabled'],
    ['PENDING', 403, 10009004, 'this application is not pending approval'],
    ['REJECTED', 200, undefined, 'this application is not rejected'],
    ['INTEGRATOR_DISABLED', 403, 10009004, 'not one of a disabled integrator account'],
    ['UNSUBSCRIBED', 200, undefined, 'this application is not without subscription'],
    ['UNSUBSCRIBED', 401, 10009002, 'it does not know the secret in NFE_APP_SECRET_UNSUBSCRIBED'],
    ['RATE_LIMITED', 403, 10009004, 'this application is not fit to be called'],
    ['ROTATED', 200, undefined, 'this secret is still valid'],
    ['ROTATED', 403, 10009004, 'this application is not rotated'],
  ])('%s: %d/%d', (setting, status, code, text) => {
    const finding = judged(setting, { ...none, status, ...(code === undefined ? {} : { code }) });
    expect(finding.state).toBe('problem');
    expect(finding.found).toContain(text);
  });
});

describe('an answer that tells no state is a warning', () => {
  test.each([
    ['silence', { error: 'ECONNRESET' }],
    ['a server error', { ...none, status: 500 }],
    ['a refused signature', { ...none, status: 401, code: 10009003 }],
    ['a 403 of no known code', { ...none, status: 403 }],
    ['a 429', { ...none, status: 429, code: 10009006 }],
  ])('%s', (_, answer) => {
    expect(judged('DISABLED', answer).state).toBe('warning');
  });
});

describe('two secrets that are swapped', () => {
  const disabled = { ...none, status: 403, code: 10009004 };
  const unsubscribed = { ...none, status: 403, code: 10009005 };

  test('are told as such, each with the other', () => {
    const asked = [
      { row: row('DISABLED'), answer: unsubscribed },
      { row: row('UNSUBSCRIBED'), answer: disabled },
    ];
    expect(judgeCredentials(asked, passes).map(({ advice }) => advice)).toEqual([
      'exchange NFE_APP_SECRET_DISABLED and NFE_APP_SECRET_UNSUBSCRIBED, which look swapped',
      'exchange NFE_APP_SECRET_UNSUBSCRIBED and NFE_APP_SECRET_DISABLED, which look swapped',
    ]);
  });

  test('may be the active one and another', () => {
    const [finding] = judgeCredentials([{ row: row('DISABLED'), answer: passes }], disabled);
    expect(finding?.advice).toBe('exchange NFE_APP_SECRET_DISABLED and NFE_APP_SECRET, which look swapped');
  });
});

test('an unset secret says which clauses it adds', () => {
  const finding = judgeUnset(row('ROTATED'));
  expect(finding.state).toBe('not set');
  expect(finding.advice).toMatch(/^set it for \d+ must clauses? more/);
});

test('two settings with the same secret are told, and by their names alone', () => {
  const findings = judgeSameSecrets({
    active: 's3cret',
    rateLimited: 's3cret',
    pending: 'p',
    rejected: 'p',
    rotated: 'r',
  });
  expect(findings.map(({ state, examined }) => [state, examined])).toEqual([
    ['problem', 'NFE_APP_SECRET_REJECTED'],
    ['warning', 'NFE_APP_SECRET_RATE_LIMITED'],
  ]);
  expect(findings[1]?.found).toBe('it holds the same secret as NFE_APP_SECRET');
});
