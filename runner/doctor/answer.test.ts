import { describe, expect, test } from 'vitest';
import type { Response } from '../../client/transport.ts';
import { answerText, readAnswer } from './answer.ts';

const request = {
  method: 'POST',
  target: '/openapi/demo/echo',
  headers: [],
  parts: { token: 't', path: '/', body: Buffer.alloc(0), timestamp: '1' },
};

function read(status: number, bodyText: string, headers: Response['headers'] = []): ReturnType<typeof readAnswer> {
  return readAnswer({ request, response: { status, headers, rawBody: Buffer.from(bodyText) }, durationMs: 1 });
}

describe('an exchange is read', () => {
  test('an echo gives its data, and the Date header in any letter case', () => {
    const data = { appKey: 'k', serverTime: '2026-01-01T00:00:00.000Z' };
    const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
    expect(read(200, JSON.stringify({ success: true, data }), [['dAtE', date]])).toEqual({
      status: 200,
      data,
      isPage: false,
      date,
    });
  });

  test.each([
    ['a refusal gives its code', 403, '{"code":10009004}', { status: 403, code: 10009004, data: {} }],
    ['a code may be a text', 403, '{"code":"10009004"}', { status: 403, code: 10009004, data: {} }],
    ['a code that is no number is none', 404, '{"code":"SIM-NOT-FOUND"}', { status: 404, data: {} }],
    ['a body that is not JSON gives nothing', 200, 'hello', { status: 200, data: {} }],
    ['a body that is JSON, but no object, gives nothing', 200, 'null', { status: 200, data: {} }],
    ['data that is no object is none', 200, '{"data":"x"}', { status: 200, data: {} }],
  ])('%s', (_, status, bodyText, expected) => {
    expect(read(status, bodyText)).toEqual({ ...expected, isPage: false });
  });

  test('an HTML page is told, but not by its Content-Type alone', () => {
    expect(read(200, '<html>', [['Content-Type', 'Text/HTML; charset=utf-8']])).toMatchObject({ isPage: true });
    expect(read(200, '{}', [['Content-Type', 'text/html']])).toMatchObject({ isPage: false });
  });

  test('no response is told with its error', () => {
    expect(readAnswer({ request, error: 'ECONNRESET: gone', durationMs: 1 })).toEqual({ error: 'ECONNRESET: gone' });
  });
});

test.each([
  [{ status: 200, data: {}, isPage: false }, '200'],
  [{ status: 403, code: 10009004, data: {}, isPage: false }, '403/10009004 (application disabled)'],
  [{ status: 401, code: 10009004, data: {}, isPage: false }, '401/10009004'],
  [{ error: 'ECONNRESET: gone' }, 'nothing (ECONNRESET: gone)'],
])('%o reads %s', (answer, text) => {
  expect(answerText(answer)).toBe(text);
});
