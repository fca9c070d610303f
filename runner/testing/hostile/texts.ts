import { expect } from 'vitest';
import { inTurn, withHeader, withJson, type HostileAnswer } from './front.ts';
import { accused, breached, clauseWords } from './kinds.ts';
import { broken, type HostileTarget } from './hostile-target.ts';

const isEnvelope = (answer: HostileAnswer): boolean => answer.body.toString('utf8').startsWith('{');

/** A member more in each JSON object that is answered. */
function alsoHolding(member: string): (answer: HostileAnswer) => HostileAnswer {
  return withJson((text) => `{${member},${text.slice(1)}`);
}

/** A value so many levels deep. */
function nested(open: string, value: string, close: string, levels: number): string {
  return open.repeat(levels) + value + close.repeat(levels);
}

const escapes = '\\u001b]0;\\u0007\\u001b[2J';
const commands = '\\n::error::owned\\n##[error]\\n';
const html = '<script>alert(1)</script><img src=x>](a:b)|#';
/** So short that a finding shows it whole with what was to be echoed. */
const terminal = `${escapes}${commands}${html}`;

/** JSON that few would write, and texts that mean something elsewhere. */
export const texts: readonly HostileTarget[] = [
  accused(
    'arrays 100,000 deep, objects 50,000 deep, and an echo 100,000 deep, in turn',
    {
      change: inTurn(
        alsoHolding(`"deep":${nested('[', '', ']', 100_000)}`),
        alsoHolding(`"deep":${nested('{"a":', '1', '}', 50_000)}`),
        withJson((text) => text.replace(/"echo":"/, `"echo":${nested('[', '', ']', 100_000)},"was":"`)),
      ),
    },
    { isBig: true },
  ),
  breached(
    '60,000 members, 400,000 items, and numbers of 5,000 digits, in turn',
    {
      change: inTurn(
        alsoHolding(Array.from({ length: 60_000 }, (_, at) => `"m${at}":1`).join(',')),
        alsoHolding(`"many":[${'1,'.repeat(400_000)}1]`),
        alsoHolding(`"huge":${'9'.repeat(5_000)},"tiny":1e-99999,"big":1e99999`),
      ),
      settings: { NFE_NUM_RUNS: '2' },
    },
    { isBig: true },
  ),
  breached('members that are there twice, __proto__ and constructor, lone surrogates and a NUL, in turn', {
    change: inTurn(
      alsoHolding('"twice":1,"twice":2'),
      alsoHolding('"__proto__":{"polluted":true,"code":1},"constructor":{"prototype":{"code":1}},"toString":1'),
      alsoHolding(String.raw`"lone":"\ud800 \udc00 \udfff","\ud800":1`),
      alsoHolding(String.raw`"nul":"a\u0000b"`),
    ),
  }),
  breached('a byte order mark, UTF-16 with one and without, ISO 8859-1, Windows-1252 and an unknown charset, in turn', {
    change: inTurn(
      (answer) => ({ ...answer, body: Buffer.concat([Buffer.from('\ufeff'), answer.body]) }),
      inCharset('utf-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')),
      inCharset('utf-16le', (text) => Buffer.from(text, 'utf16le')),
      inCharset('ISO-8859-1', (text) => Buffer.from(text.replace(/[^\0-\xff]/g, '?'), 'latin1')),
      inCharset('"windows-1252"', windows1252),
      inCharset('x-klingon', (text) => Buffer.from(text)),
    ),
  }),
  accused('a page of HTML, NUL before the JSON, UTF-8 that says to be UTF-16, and bytes that are no UTF-8, in turn', {
    change: inTurn<[HostileAnswer], HostileAnswer>(
      page,
      (answer) => ({ ...answer, body: Buffer.concat([Buffer.alloc(3), answer.body]) }),
      inCharset('utf-16', (text) => Buffer.from(text)),
      (answer) => ({
        ...answer,
        body: Buffer.from(answer.body.toString('latin1').replace('{', '{\xff\xfe'), 'latin1'),
      }),
    ),
  }),
  accused(
    'escapes of terminals, commands of CI, Markdown and HTML in every text',
    {
      meets: () => true,
      hasBreach: true,
      // Shown whole: what is hidden would be inert by itself.
      settings: { NFE_SHOW: 'all' },
      change: withJson((text) => text.replace(/"(message|mensagem|echo)":"/g, `"$1":"${terminal}`)),
    },
    {
      words: [...clauseWords(['echo.message-returned', 'echo.status']), '--topic', 'envelope'],
      ends: broken,
      also: isInert,
    },
  ),
];

/** No output holds a control character of a terminal, a command of a CI at the start of a line, or a tag of the target. */
function isInert({ everything, files, stdout, stderr }: Parameters<NonNullable<HostileTarget['also']>>[0]): void {
  expect(everything).not.toContain('\u001b');
  expect(everything).not.toContain('\u0007');
  for (const name of ['index.html', 'summary.md', 'junit.xml']) {
    const text = files.get(name) ?? '';
    expect(text, name).toContain('owned');
    expect(text, name).not.toContain('<script>alert(1)');
    expect(text, name).not.toContain('<img src=x');
  }
  expect(`${stdout}\n${stderr}`).not.toMatch(/^[ \t]*(?:::|##\[)/m);
}

function inCharset(charset: string, bytesOf: (text: string) => Buffer): (answer: HostileAnswer) => HostileAnswer {
  return (answer) => {
    if (!isEnvelope(answer)) return answer;
    const headers = answer.headers.filter(([name]) => name !== 'content-type');
    const body = bytesOf(answer.body.toString('utf8').replace('{', '{"ç":"ação",'));
    return withHeader('content-type', `application/json; charset=${charset}`)({ ...answer, headers, body });
  };
}

function page(): HostileAnswer {
  const body = Buffer.from('<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>');
  return { status: 200, headers: [['content-type', 'text/html']], body };
}

/** What is no Latin-1 is left out but for the euro sign. */
function windows1252(text: string): Buffer {
  return Buffer.from(text.replace(/[^\0-\xff]/g, '?').replace('ação', 'ação\x80'), 'latin1');
}
