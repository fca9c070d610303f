import { describe, expect, test } from 'vitest';
import type { Response } from '../../trace/exchange.ts';
import { answerText, readAnswer } from './answer.ts';

function read(status: number, bodyText: string, headers: Response['headers'] = []): ReturnType<typeof readAnswer> {
  return readAnswer({ response: { status, headers, rawBody: Buffer.from(bodyText) } });
}

describe('an exchange is read', () => {
  test('an echo gives its data, and the Date header in any letter case', () => {
    const data = { appKey: 'k', serverTime: '2026-01-01T00:00:00.000Z' };
    const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
    expect(read(200, JSON.stringify({ success: true, data }), [['dAtE', date]])).toEqual({
      status: 200,
      data,
      form: 'json',
      date,
    });
  });

  test.each([
    ['a refusal gives its code', 403, '{"code":10009004}', { status: 403, code: 10009004, data: {} }],
    ['a code may be a text', 403, '{"code":"10009004"}', { status: 403, code: 10009004, data: {} }],
    ['a code that is no number is none', 404, '{"code":"SIM-NOT-FOUND"}', { status: 404, data: {} }],

    ['a body that is JSON, but no object, gives nothing', 200, 'null', { status: 200, data: {} }],
    ['data that is no object is none', 200, '{"data":"x"}', { status: 200, data: {} }],
  ])('%s', (_, status, bodyText, expected) => {
    expect(read(status, bodyText)).toEqual({ ...expected, form: 'json' });
  });

  test.each([
    ['a page', '<html>', 'page'],
    ['JSON that is called HTML', '{}', 'json'],
    ['a word', 'OK', 'text'],
    ['nothing', '', 'nothing'],
  ])('%s is told as such', (_, bodyText, form) => {
    expect(read(200, bodyText, [['Content-Type', 'Text/HTML; charset=utf-8']])).toMatchObject({ form });
  });

  test('where it points, and whether it asks for a login', () => {
    const headers = [
      ['location', '/login'],
      ['WWW-Authenticate', 'Basic'],
    ] as const;
    expect(read(401, '', headers)).toMatchObject({ location: '/login', asksForLogin: true });
  });

  test('no response is told with its error', () => {
    expect(readAnswer({ error: 'ECONNRESET: gone' })).toEqual({ error: 'ECONNRESET: gone' });
  });
});

test.each([
  [{ status: 200, data: {}, form: 'json' as const }, '200'],
  [{ status: 403, code: 10009004, data: {}, form: 'json' as const }, '403/10009004 (application disabled)'],
  [{ status: 401, code: 10009004, data: {}, form: 'json' as const }, '401/10009004'],
  [{ error: 'ECONNRESET: gone' }, 'nothing (ECONNRESET: gone)'],
])('%o reads %s', (answer, text) => {
  expect(answerText(answer)).toBe(text);
});
