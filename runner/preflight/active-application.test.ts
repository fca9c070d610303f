import { describe, expect, test } from 'vitest';
import { judgeActive, judgeIdentity } from './applications.ts';

const none = { data: {}, form: 'json' as const };

describe('the active application', () => {
  test.each([
    ['passes', { ...none, status: 200 }, 'ok', 'active'],
    ['is unknown', { ...none, status: 401, code: 10009002 }, 'problem', 'does not know this secret'],
    ['is disabled', { ...none, status: 403, code: 10009004 }, 'problem', '403/10009004 (application disabled)'],
    ['is not subscribed to echo', { ...none, status: 403, code: 10009005 }, 'problem', '10009005'],
    ['is refused with a 403 of no known code', { ...none, status: 403 }, 'problem', 'the target says 403'],
    ['is at its limit', { ...none, status: 429, code: 10009006 }, 'problem', '429'],
    ['gets no answer', { error: 'ECONNRESET' }, 'problem', 'ECONNRESET'],
    ['is refused for headers that it sent', { ...none, status: 401, code: 10009000 }, 'problem', 'all three headers'],
  ])('%s', (_, answer, state, text) => {
    const finding = judgeActive('NFE_APP_SECRET', answer);
    expect(finding.state).toBe(state);
    expect(finding.found).toContain(text);
  });

  test.each([
    [{ status: 401, code: 10009003 }, /signs otherwise/],
    [{ status: 401, code: 10009001 }, /timestamp/],
    [{ status: 500 }, /no setting explains that/],
  ])('%o is no matter of settings: a warning that leaves it to npm test', (answer, advice) => {
    const finding = judgeActive('NFE_APP_SECRET', { ...none, ...answer });
    expect(finding.state).toBe('warning');
    expect(finding.advice).toMatch(advice);
    expect(finding.advice).toMatch(/npm test tells$/);
  });
});

test('a secret in capitals that is not known may have been written small by a gateway', () => {
  const answer = { ...none, status: 401, code: 10009002 };
  expect(judgeActive('NFE_APP_SECRET', answer, { secret: 'AbC' }).advice).toContain('capital letters');
  expect(judgeActive('NFE_APP_SECRET', answer, { secret: 'abc' }).advice).not.toContain('capital letters');
});

describe('an identity', () => {
  test('that is unset says which clauses it adds', () => {
    const finding = judgeIdentity('NFE_APP_KEY', undefined, 'k');
    expect(finding.state).toBe('not set');
    expect(finding.advice).toMatch(/^set it for \d+ must clauses? more \(.*\)$/);
  });

  test('that echo tells is fine, another one is a problem that shows it', () => {
    expect(judgeIdentity('NFE_APP_KEY', 'k', 'k').state).toBe('ok');
    const other = judgeIdentity('NFE_APP_KEY', 'k', 'other');
    expect(other).toMatchObject({ state: 'problem', found: 'echo says "other"' });
  });

  test('is skipped when echo told none', () => {
    expect(judgeIdentity('NFE_APP_KEY', 'k', undefined).state).toBe('skipped');
  });
});
