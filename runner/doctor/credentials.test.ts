import { describe, expect, test } from 'vitest';
import { credentialRows, judgeCredential, judgeSameSecrets, judgeUnset, type CredentialRow } from './credentials.ts';

const none = { data: {}, isPage: false };

function row(setting: string): CredentialRow {
  const found = credentialRows.find((each) => each.setting === `NFE_APP_SECRET_${setting}`);
  if (!found) throw new Error(`no row for ${setting}`);
  return found;
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
    expect(judgeCredential(row(setting), answer).state).toBe('ok');
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
    const finding = judgeCredential(row(setting), { ...none, status, ...(code === undefined ? {} : { code }) });
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
    expect(judgeCredential(row('DISABLED'), answer).state).toBe('warning');
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
    ['warning', 'NFE_APP_SECRET_REJECTED'],
    ['warning', 'NFE_APP_SECRET_RATE_LIMITED'],
  ]);
  expect(findings[1]?.found).toBe('it holds the same secret as NFE_APP_SECRET');
});
