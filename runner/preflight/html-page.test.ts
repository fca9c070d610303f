import { describe, expect, test } from 'vitest';
import { isPage } from './answer.ts';

const html = 'text/html; charset=utf-8';
const json = 'application/json';

function judged(bodyText: string, contentType?: string): boolean {
  const headers = contentType === undefined ? [] : [['cOnTent-Type', contentType] as const];
  return isPage({ status: 200, headers, rawBody: Buffer.from(bodyText) });
}

describe('a page for people', () => {
  test.each([html, json, undefined])('begins as a document, whatever its Content-Type says: %s', (contentType) => {
    expect(judged('<!DOCTYPE html>\n<html lang="pt"><p>Login</p>', contentType)).toBe(true);
    expect(judged('<HTML><body>Login</body></HTML>', contentType)).toBe(true);
    expect(judged('\uFEFF\r\n<!-- cached --><!---->\n<html\nlang="pt">', contentType)).toBe(true);
    expect(
      judged('<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">', contentType),
    ).toBe(true);
  });

  test.each(['<head><title>Login</title>', '<script>location = "/login"</script>', '<meta http-equiv="refresh">'])(
    'may begin with its head where it is said to be HTML: %s',
    (bodyText) => {
      expect(judged(bodyText, 'Text/HTML')).toBe(true);
      expect(judged(bodyText, json)).toBe(false);
      expect(judged(bodyText)).toBe(false);
    },
  );
});

describe('what a service may answer by mistake is no page', () => {
  test.each([
    ['JSON', '{"success":true,"data":{"message":"<html>"}}'],
    ['a JSON text that holds a page', '"<!doctype html><html>"'],
    ['nothing', ''],
    ['a word', 'OK'],
    ['a warning in front of JSON', '<br />\n<b>Warning</b>: Undefined index<br />\n{"success":true}'],
    ['XML', '<?xml version="1.0"?><response><success>true</success></response>'],
    ['an element that only sounds like one of HTML', '<html-answer/>'],
    ['comments without end', '<!--'.repeat(5000)],
  ])('%s', (_, bodyText) => {
    for (const contentType of [html, json, undefined]) expect(judged(bodyText, contentType)).toBe(false);
  });
});
