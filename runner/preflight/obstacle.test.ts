import { describe, expect, test } from 'vitest';
import { type TargetAnswer, obstacleIn } from './answer.ts';

const baseUrl = 'http://api.example/nfe';
const json = { data: {}, form: 'json' as const };
const page = { data: {}, form: 'page' as const };

describe('what answers in place of the service is seen', () => {
  test.each<[string, TargetAnswer, RegExp]>([
    ['a page of a firewall', { ...page, status: 403 }, /firewall or a proxy/],
    ['a page of a portal', { ...page, status: 200 }, /login or a portal/],
    ['a refusal in plain text', { ...json, form: 'text', status: 403 }, /firewall or a proxy/],
    ['a login of a gateway', { ...json, status: 401, asksForLogin: true }, /login of its own/],
    ['a proxy that asks who is there', { ...json, status: 407 }, /user and password/],
    ['what is not available', { ...json, status: 503 }, /try again later/],
  ])('%s', (_, answer, advice) => {
    expect(obstacleIn(answer, baseUrl)?.advice).toMatch(advice);
  });
});

describe('a redirect names where it points, without its query', () => {
  test.each([
    ['https://api.example/nfe/openapi/demo/echo?t=s3cret', /^set NFE_BASE_URL to https:\/\/api\.example\/nfe$/],
    ['https://new.example/openapi/demo/echo', /^set NFE_BASE_URL to https:\/\/new\.example if the service has moved/],
    ['/login?next=s3cret', /a login stands in front/],
    ['https://sso.example/', /a login stands in front/],
  ])('%s', (location, advice) => {
    const obstacle = obstacleIn({ ...json, status: 302, location }, baseUrl);
    expect(obstacle?.advice).toMatch(advice);
    expect(obstacle?.found).toContain(new URL(location, baseUrl).origin);
    expect(JSON.stringify(obstacle)).not.toContain('s3cret');
  });

  test('or that it names none', () => {
    expect(obstacleIn({ ...json, status: 308 }, baseUrl)?.found).toContain('nowhere');
  });
});

test.each<[string, TargetAnswer]>([
  ['an error page of a framework', { ...page, status: 500 }],
  ['a page that was not found', { ...page, status: 404 }],
  ['a refusal of the platform', { ...json, status: 403, code: 10009004 }],
  ['a 403 as JSON without a code', { ...json, status: 403 }],
  ['a 401 as JSON without a code', { ...json, status: 401 }],
  ['a success', { ...json, status: 200 }],
])('%s may be the service’s own and is left to be judged', (_, answer) => {
  expect(obstacleIn(answer, baseUrl)).toBeUndefined();
});
