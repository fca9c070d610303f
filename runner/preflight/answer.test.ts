import { describe, expect, test } from 'vitest';
import type { Response } from '../../trace/exchange.ts';
import { answerText, obstacleIn, readAnswer, type TargetAnswer } from './answer.ts';
import { judgeEcho, preflightEcho } from './echo.ts';
import { askFirst } from './session.ts';

function read(status: number, bodyText: string, headers: Response['headers'] = []): ReturnType<typeof readAnswer> {
  return readAnswer({ response: { status, headers, rawBody: Buffer.from(bodyText) } });
}

test('an echo gives its data, and headers in any letter case', () => {
  const data = { appKey: 'k', serverTime: '2026-01-01T00:00:00.000Z' };
  const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
  const headers = [
    ['dAtE', date],
    ['location', '/login'],
    ['WWW-Authenticate', 'Basic'],
    ['SERVER', 'nginx/1.25.3'],
    ['via', `1.1 varnish${'y'.repeat(200)}`],
  ] as const;
  expect(read(200, JSON.stringify({ success: true, data }), headers)).toEqual({
    status: 200,
    data,
    form: 'json',
    date,
    location: '/login',
    asksForLogin: true,
    server: `Server nginx/1.25.3, Via 1.1 varnish${'y'.repeat(89)}… (211 characters in all)`,
  });
});

test.each([
  ['{"code":10009004}', { status: 403, code: 10009004, data: {} }, '403/10009004 (application disabled)'],
  ['{"code":"10009004"}', { status: 403, code: 10009004, data: {} }, '403/10009004 (application disabled)'],
  ['{"code":"SIM-NOT-FOUND"}', { status: 403, data: {} }, '403'],
  ['null', { status: 403, data: {} }, '403'],
  ['{"data":"x"}', { status: 403, data: {} }, '403'],
])('a 403 with %s is read with its code, if it has one', (bodyText, expected, text) => {
  const answer = read(403, bodyText);
  expect(answer).toEqual({ ...expected, form: 'json' });
  expect(answerText(answer)).toBe(text);
});

test('no response is told with its error', () => {
  const silence = readAnswer({ error: 'ECONNRESET: gone' });
  expect(silence).toEqual({ error: 'ECONNRESET: gone' });
  expect(answerText(silence)).toBe('nothing (ECONNRESET: gone)');
});

describe('the form of a body', () => {
  const [html, json] = ['Text/HTML; charset=utf-8', 'application/json'];

  test.each([
    ['<!DOCTYPE html>\n<html lang="pt"><p>Login</p>', 'page', 'page'],
    ['<HTML><body>Login</body></HTML>', 'page', 'page'],
    ['\uFEFF\r\n<!-- cached --><!---->\n<html\nlang="pt">', 'page', 'page'],
    ['<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">', 'page', 'page'],
    ['<head><title>Login</title>', 'page', 'text'],
    ['<script>location = "/login"</script>', 'page', 'text'],
    ['{"success":true,"data":{"message":"<html>"}}', 'json', 'json'],
    ['"<!doctype html><html>"', 'json', 'json'],
    ['', 'nothing', 'nothing'],
    ['OK', 'text', 'text'],
    ['<br />\n<b>Warning</b>: Undefined index<br />\n{"success":true}', 'text', 'text'],
    ['<?xml version="1.0"?><response><success>true</success></response>', 'text', 'text'],
    ['<html-answer/>', 'text', 'text'],
    ['<!--'.repeat(5000), 'text', 'text'],
  ])('of %j is %s where it is called HTML, and %s otherwise', (bodyText, asHtml, otherwise) => {
    expect(read(200, bodyText, [['Content-Type', html]])).toMatchObject({ form: asHtml });
    expect(read(200, bodyText, [['Content-Type', json]])).toMatchObject({ form: otherwise });
  });
});

const baseUrl = 'http://api.example/nfe';
const json = { data: {}, form: 'json' as const };
const page = { data: {}, form: 'page' as const };

test.each([
  ['https://api.example/nfe/openapi/demo/echo?t=s3cret', /^set NFE_BASE_URL to https:\/\/api\.example\/nfe$/],
  ['https://new.example/openapi/demo/echo', /^set NFE_BASE_URL to https:\/\/new\.example if the service has moved/],
  ['/nfe/v2/openapi/demo/echo?t=s3cret', /^set NFE_BASE_URL to http:\/\/api\.example\/nfe\/v2$/],
  ['/login?next=s3cret', /a login stands in front/],
  ['https://sso.example/', /a login stands in front/],
])('a redirect to %s says what to do, and shows no query', (location, advice) => {
  const obstacle = obstacleIn({ ...json, status: 302, location }, baseUrl);
  expect(obstacle?.advice).toMatch(advice);
  expect(obstacle?.found).toContain(new URL(location, baseUrl).origin);
  expect(JSON.stringify(obstacle)).not.toContain('s3cret');
});

test('a redirect that names no place is the answer of whom it was asked of: nobody in between gives it', () => {
  expect(obstacleIn({ ...json, status: 302 }, baseUrl)).toBeUndefined();
  expect(obstacleIn({ ...json, status: 302, location: 'http://[' }, baseUrl)).toBeDefined();
});

test.each<[string, TargetAnswer]>([
  ['an error page of a framework', { ...page, status: 500 }],
  ['a page that was not found', { ...page, status: 404 }],
  ['a page about what was sent', { ...page, status: 422 }],
  ['a page about what is there already', { ...page, status: 409 }],
  ['a refusal of the platform', { ...json, status: 403, code: 10009004 }],
  ['a 403 as JSON without a code', { ...json, status: 403 }],
  ['a 401 as JSON without a code', { ...json, status: 401 }],
  ['a success', { ...json, status: 200 }],
])('%s may be the service’s own and is left to be judged', (_, answer) => {
  expect(obstacleIn(answer, baseUrl)).toBeUndefined();
});

test.each([
  ['a success', { ...json, status: 200 }, 'https://api.example', 'ok'],
  ['a refusal by the gateway', { ...json, status: 401, code: 10009002 }, 'https://api.example', 'ok'],
  ['a server error', { ...json, status: 500 }, 'https://api.example', 'ok'],
  ['a refused sign', { ...json, status: 401, code: 10009003 }, 'https://openapi.example/openapis', 'ok'],
  ['a refused sign', { ...json, status: 401, code: 10009003 }, 'https://api.example/x/OpenAPI/', 'problem'],
  ['a 405', { ...json, status: 405 }, 'https://api.example', 'problem'],
])('%s shows whether an echo endpoint is there: %o at %s is %s', (_, answer, base, state) => {
  const { state: found, advice = '' } = judgeEcho(answer, base);
  expect(found).toBe(state);
  expect(advice).toBe(state === 'ok' ? '' : 'check NFE_BASE_URL: it ends where /openapi begins');
});

test.each([
  ['ETIMEDOUT: no complete answer within 7 s', 2],
  ['ECONNREFUSED', 1],
])('a first answer that is %s is asked for %s times', async (error, times) => {
  let asked = 0;
  const ask = async () => ({ answer: { error }, receivedMs: (asked += 1), durationMs: 7_000 });
  await askFirst({ ask }, 'secret', preflightEcho, 0);
  expect(asked).toBe(times);
});
