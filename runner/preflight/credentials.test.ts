import { describe, expect, test } from 'vitest';
import type { TargetAnswer, Silence } from './answer.ts';
import {
  judgeActive,
  judgeIdentity,
  credentialRows,
  judgeCredentials,
  judgeSameSecrets,
  judgeUnset,
  type CredentialRow,
} from './applications.ts';
import type { Remark } from './finding.ts';
import { endpoint, scopeOf } from '../../contract/endpoints.ts';
import { judgeProbe } from './examine.ts';

const none = { data: {}, form: 'json' as const };
const passes = { ...none, status: 200 };

function answerOf(status: number, code?: number): TargetAnswer {
  return { ...none, status, ...(code === undefined ? {} : { code }) };
}

describe('the active application', () => {
  test.each<[string, TargetAnswer | Silence, Remark['state'], RegExp]>([
    ['passes', passes, 'ok', /active/],
    ['is unknown', answerOf(401, 10009002), 'problem', /does not know this secret/],
    ['is disabled', answerOf(403, 10009004), 'problem', /403\/10009004 \(application disabled\)/],
    ['is not subscribed to echo', answerOf(403, 10009005), 'problem', /10009005/],
    ['is refused with a 403 of no known code', answerOf(403), 'problem', /the target says 403/],
    ['is at its limit', answerOf(429, 10009006), 'problem', /429/],
    ['gets no answer', { error: 'ECONNRESET' }, 'problem', /ECONNRESET/],
    ['is refused for headers that it sent', answerOf(401, 10009000), 'problem', /all three headers/],
    ['is refused its sign', answerOf(401, 10009003), 'warning', /signs otherwise: npm test tells/],
    ['is refused its timestamp', answerOf(401, 10009001), 'warning', /timestamp.*: npm test tells/],
    ['gets an error', answerOf(500), 'warning', /no setting explains that: npm test tells/],
  ])('that %s is judged so', (_, answer, state, text) => {
    const finding = judgeActive('NFE_APP_SECRET', answer);
    expect(finding.state).toBe(state);
    expect(`${finding.found} → ${finding.advice}`).toMatch(text);
  });

  test('with capitals in its secret that is not known may have been written small by a gateway', () => {
    const adviceOn = (secret: string) => judgeActive('NFE_APP_SECRET', answerOf(401, 10009002), { secret }).advice;
    expect(adviceOn('AbC')).toContain('capital letters');
    expect(adviceOn('abc')).not.toContain('capital letters');
  });
});

test('an identity is what echo tells; one that is unset says which clauses it adds', () => {
  expect(judgeIdentity('NFE_APP_KEY', 'k', 'k').state).toBe('ok');
  expect(judgeIdentity('NFE_APP_KEY', 'k', 'other')).toMatchObject({ state: 'problem', found: 'echo says "other"' });
  expect(judgeIdentity('NFE_APP_KEY', 'k', undefined).state).toBe('skipped');
  expect(judgeIdentity('NFE_APP_KEY', undefined, 'k').advice).toMatch(/^set it for \d+ must clauses? more \(.*\)$/);
});

function row(setting: string): CredentialRow {
  const found = credentialRows.find((each) => each.setting === `NFE_APP_SECRET_${setting}`);
  if (!found) throw new Error(`no row for ${setting}`);
  return found;
}

describe('a secret of an application in a certain state', () => {
  test.each<[string, TargetAnswer | Silence, Remark['state'], string]>([
    ['DISABLED', answerOf(403, 10009004), 'ok', ''],
    ['PENDING', answerOf(403, 10009015), 'ok', ''],
    ['REJECTED', answerOf(403, 10009015), 'ok', ''],
    ['INTEGRATOR_DISABLED', answerOf(403, 10009014), 'ok', ''],
    ['UNSUBSCRIBED', answerOf(403, 10009005), 'ok', ''],
    ['RATE_LIMITED', answerOf(429, 10009006), 'ok', ''],
    ['RATE_LIMITED', passes, 'ok', ''],
    ['ROTATED', answerOf(401, 10009002), 'ok', ''],
    ['DISABLED', passes, 'problem', 'the target says 200: this application is not disabled'],
    ['DISABLED', answerOf(403, 10009005), 'problem', 'this application is not disabled'],
    ['PENDING', answerOf(403, 10009004), 'problem', 'this application is not pending approval'],
    ['INTEGRATOR_DISABLED', answerOf(403, 10009004), 'problem', 'not one of a disabled integrator account'],
    ['UNSUBSCRIBED', passes, 'problem', 'this application is not without subscription'],
    ['UNSUBSCRIBED', answerOf(401, 10009002), 'problem', 'it does not know the secret in NFE_APP_SECRET_UNSUBSCRIBED'],
    ['RATE_LIMITED', answerOf(403, 10009004), 'problem', 'this application is not fit to be called'],
    ['ROTATED', passes, 'problem', 'this secret is still valid'],
    ['ROTATED', answerOf(403, 10009004), 'problem', 'this application is not rotated'],
    ['DISABLED', { error: 'ECONNRESET' }, 'warning', ''],
    ['DISABLED', answerOf(500), 'warning', ''],
    ['DISABLED', answerOf(401, 10009003), 'warning', ''],
    ['DISABLED', answerOf(403), 'warning', ''],
    ['DISABLED', answerOf(429, 10009006), 'warning', ''],
  ])('%s: %o is %s', (setting, answer, state, text) => {
    const [finding] = judgeCredentials([{ row: row(setting), answer }], passes);
    expect(finding?.state).toBe(state);
    expect(finding?.found).toContain(text);
  });

  test('that is swapped with another, or with the active one, is told with it', () => {
    const [disabled, unsubscribed] = [answerOf(403, 10009004), answerOf(403, 10009005)];
    const asked = [
      { row: row('DISABLED'), answer: unsubscribed },
      { row: row('UNSUBSCRIBED'), answer: disabled },
    ];
    expect(judgeCredentials(asked, passes).map(({ advice }) => advice)).toEqual([
      'exchange NFE_APP_SECRET_DISABLED and NFE_APP_SECRET_UNSUBSCRIBED, which look swapped',
      'exchange NFE_APP_SECRET_UNSUBSCRIBED and NFE_APP_SECRET_DISABLED, which look swapped',
    ]);
    const [finding] = judgeCredentials([{ row: row('DISABLED'), answer: passes }], disabled);
    expect(finding?.advice).toBe('exchange NFE_APP_SECRET_DISABLED and NFE_APP_SECRET, which look swapped');
  });

  test('is for the run to judge where a query bears its setting out, though echo does not', () => {
    const [borneOut, not] = [answerOf(403, 10009004), answerOf(403, 10009005)].map((elsewhere) =>
      judgeCredentials([{ row: row('DISABLED'), answer: passes, elsewhere }], passes),
    );
    expect([borneOut?.[0]?.state, not?.[0]?.state]).toEqual(['warning', 'problem']);
    expect(borneOut?.[0]?.found).toBe(
      'the target says 200 at echo, and 403/10009004 (application disabled) at a query',
    );
  });

  test('that was rotated is for the run to judge where echo tells the App Key of the active application', () => {
    const told = (appKey: string): TargetAnswer => ({ ...passes, data: { appKey } });
    const stateOf = (appKey: string, own: { isOwn?: true } = {}): unknown =>
      judgeCredentials([{ row: row('ROTATED'), answer: told(appKey), ...own }], told('app-1'))[0]?.state;
    expect([stateOf('app-1'), stateOf('app-2')]).toEqual(['warning', 'problem']);
    expect(stateOf('app-1', { isOwn: true })).toBe('problem');
  });

  test('is for the run to judge where so many are told to be others that not all settings are wrong', () => {
    const [disabled, notEffective] = [answerOf(403, 10009004), answerOf(403, 10009015)];
    const asked = [
      { row: row('DISABLED'), answer: notEffective },
      { row: row('PENDING'), answer: disabled },
      { row: row('REJECTED'), answer: disabled },
    ];
    const states = (of: typeof asked): unknown => judgeCredentials(of, passes).map(({ state }) => state);
    expect(states(asked)).toEqual(['warning', 'warning', 'warning']);
    expect(states(asked.slice(0, 2))).toEqual(['problem', 'problem']);
    const unknown = { row: row('INTEGRATOR_DISABLED'), answer: answerOf(401, 10009002) };
    expect(states([...asked, unknown])).toEqual(['warning', 'warning', 'warning', 'problem']);
  });

  test('that is unset says which clauses it adds', () => {
    expect(judgeUnset(row('ROTATED')).advice).toMatch(/^set it for \d+ must clauses? more/);
  });

  test('that two settings hold is told by their names alone', () => {
    const secrets = { active: 's3cret', rateLimited: 's3cret', pending: 'p', rejected: 'p', rotated: 'r' };
    const findings = judgeSameSecrets(secrets);
    expect(findings.map(({ state, examined }) => [state, examined])).toEqual([
      ['problem', 'NFE_APP_SECRET_REJECTED'],
      ['warning', 'NFE_APP_SECRET_RATE_LIMITED'],
    ]);
    expect(findings[1]?.found).toBe('it holds the same secret as NFE_APP_SECRET');
  });
});

const baseUrl = 'https://api.example';

test.each([
  ['nfe-query', '/openapi/v2/empresas/{xx}/nf-e/{xx}'],
  ['certificado-association', '/openapi/v1/empresas/{xx}/certificadodigital'],
  ['nfe-verification', '/openapi/v3/consultas/nf-e/xml'],
] as const)('the scope of %s is %s', (name, scope) => {
  expect(scopeOf(endpoint(name))).toBe(scope);
});

test.each([200, 400, 404, 500])('%d to a probe says nothing against the subscription', (status) => {
  expect(judgeProbe('cnpj-lookup', { ...none, status }, baseUrl)).toEqual([]);
});

test.each([
  ['a missing subscription', { ...none, status: 403, code: 10009005 }, /subscribe the application/],
  ['another 403', { ...none, status: 403, code: 10009004 }, /deviates/],
  ['a 401', { ...none, status: 401, code: 10009003 }, /deviates/],
  ['silence', { error: 'ETIMEDOUT' }, /try again/],
])('%s is a warning that names the scope', (_, answer, advice) => {
  const [finding] = judgeProbe('nfe-issuance', answer, baseUrl);
  expect(finding?.state).toBe('warning');
  expect(finding?.examined).toContain('/openapi/v2/empresas/{xx}/nf-e');
  expect(finding?.advice).toMatch(advice);
});

test.each([
  ['a page of a firewall', { ...none, form: 'page' as const, status: 403 }, /no body.*403.*HTML page/],
  ['a redirect', { ...none, status: 302, location: '/login?t=1' }, /redirect to https:\/\/api\.example\/login,/],
  ['a redirect to another host', { ...none, status: 307, location: 'https://new.example/openapi/x' }, /new\.example/],
])('%s where echo gets through is a problem that names method and body', (_, answer, found) => {
  const [finding] = judgeProbe('nfe-cancellation', answer, baseUrl);
  expect(finding?.state).toBe('problem');
  expect(finding?.found).toMatch(/^DELETE /);
  expect(finding?.found).toMatch(found);
});

describe('a page that is served with 200', () => {
  const page = { ...none, form: 'page' as const, status: 200 };

  test('while others of the same kind get through is an answer of the service, to be judged', () => {
    const [finding] = judgeProbe('cnpj-lookup', page, baseUrl, true);
    expect(finding?.state).toBe('warning');
    expect(finding?.found).toContain('200 with an HTML page');
    expect(finding?.advice).toContain('npm test tells whether the target deviates');
  });

  test('to every request of a kind is that of a firewall', () => {
    expect(judgeProbe('cnpj-lookup', page, baseUrl)).toMatchObject([{ state: 'problem' }]);
  });
});

test.each(['/openapi/v3/consultas/cnpj/1/', `${baseUrl}/openapi/v4/consultas/cnpj/1`])(
  'a redirect to %s, within the service, is judged as an answer of its endpoint',
  (location) => {
    expect(judgeProbe('cnpj-lookup', { ...none, status: 308, location }, baseUrl)).toEqual([]);
  },
);
