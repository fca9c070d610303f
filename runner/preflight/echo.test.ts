import { describe, expect, test } from 'vitest';
import { judgeEcho } from './echo.ts';

const none = { data: {}, form: 'json' as const };

test.each([
  ['a success shows the endpoint', { ...none, status: 200 }, 'ok', /^$/],
  ['so does a refusal by the gateway', { ...none, status: 401, code: 10009002 }, 'ok', /^$/],
  ['so does a server error, which is for the clauses to judge', { ...none, status: 500 }, 'ok', /^$/],
  ['silence is a problem', { error: 'ECONNRESET' }, 'problem', /network/],
  ['503 is a problem', { ...none, status: 503 }, 'problem', /try again later/],
  ['404 is a problem', { ...none, status: 404 }, 'problem', /ends where \/openapi begins/],
  ['405 is a problem', { ...none, status: 405 }, 'problem', /ends where \/openapi begins/],
  ['a redirect is a problem', { ...none, status: 302 }, 'problem', /check NFE_BASE_URL/],
  ['a proxy that asks who is there is a problem', { ...none, status: 407 }, 'problem', /user and password/],
  ['an HTML page is a problem', { ...none, status: 200, form: 'page' as const }, 'problem', /login or a portal/],
])('%s', (_, answer, state, advice) => {
  const finding = judgeEcho(answer, 'https://api.example');
  expect(finding.state).toBe(state);
  expect(finding.advice ?? '').toMatch(advice);
  expect(finding.found).toContain('https://api.example');
});

describe('a refused signature', () => {
  const answer = { ...none, status: 401, code: 10009003 };

  test.each(['https://api.example/openapi', 'https://api.example/x/OpenAPI/'])(
    'at %s comes from an address that goes too far',
    (baseUrl) => {
      expect(judgeEcho(answer, baseUrl)).toMatchObject({
        state: 'problem',
        advice: 'check NFE_BASE_URL: it ends where /openapi begins',
      });
    },
  );

  test('shows the endpoint at any other address', () => {
    expect(judgeEcho(answer, 'https://openapi.example/openapis').state).toBe('ok');
  });
});
