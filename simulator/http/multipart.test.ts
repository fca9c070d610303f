import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { largestPartBytes, largestPartCount, readForm } from './multipart.ts';

const contentType = 'multipart/form-data; boundary=limite';
const end = '--limite--\r\n';

function part(headers: string, content: string): string {
  return `--limite\r\n${headers}\r\n\r\n${content}\r\n`;
}

function field(name: string, content: string): string {
  return part(`Content-Disposition: form-data; name="${name}"`, content);
}

function file(name: string, content: string): string {
  return part(`Content-Disposition: form-data; name="${name}"; filename="a.pfx"`, content);
}

/** What reading a body gives, with the contents of files as Latin-1 text. */
async function read(body: string | Buffer, type = contentType): Promise<unknown> {
  const form = await readForm({ contentType: type, rawBody: Buffer.from(body) });
  if ('fault' in form) return form.fault;
  const files = [...form.files].map(([name, bytes]): [string, string] => [name, bytes.toString('latin1')]);
  return { files: Object.fromEntries(files), fields: Object.fromEntries(form.fields) };
}

describe('form', () => {
  test('parts with a file name are files, the others fields', async () => {
    expect(await read(`${file('arquivo', '\u0000\r\n--limit')}${field('senha', 'ação')}${end}`)).toEqual({
      files: { arquivo: '\u0000\r\n--limit' },
      fields: { senha: 'ação' },
    });
  });

  test('a charset that does not exist leaves nothing of the text', async () => {
    const odd = part('Content-Disposition: form-data; name=a\r\nContent-Type: text/plain; charset=none', 'b');
    expect(await read(odd + end)).toEqual({ files: {}, fields: { a: '' } });
  });

  test('parts of exactly the largest size are taken', async () => {
    const most = 'a'.repeat(largestPartBytes);
    expect(await read(file('a', most) + field('b', most) + end)).toEqual({ files: { a: most }, fields: { b: most } });
  });
});

describe('what gives no form', () => {
  test.each([
    ['', 'not-multipart'],
    ['application/json', 'not-multipart'],
    ['application/x-www-form-urlencoded; boundary=limite', 'not-multipart'],
    ['multipart/mixed; boundary=limite', 'not-multipart'],
    ['multipart/form-data', 'no-boundary'],
    ['multipart/form-data; boundary=', 'no-boundary'],
    ['multipart/form-data; limite', 'no-boundary'],
    [`multipart/form-data; boundary=${'a'.repeat(10_000)}`, 'broken'],
    ['form-data; boundary=limite', 'not-multipart'],
    ['multipart/form-data; boundary=other', 'broken'],
  ])('the Content-Type %j is %s', async (type, fault) => {
    expect(await read(field('a', 'b') + end, type)).toBe(fault);
  });

  test('a body that ends anywhere before its last boundary is broken', async () => {
    const whole = field('a', 'b') + file('c', 'd') + end;
    const last = whole.lastIndexOf('--\r\n') + 1;
    for (let length = 0; length <= last; length++) expect(await read(whole.slice(0, length))).toBe('broken');
    expect(await read(whole.slice(0, last + 1))).toEqual({ files: { c: 'd' }, fields: { a: 'b' } });
  });

  const oddHeaders = 'Content Disposition: form-data';
  test.each([
    ['bare line feeds', (field('a', 'b') + end).replaceAll('\r\n', '\n')],
    ['a part without headers', part('', 'b') + end],
    ['a header that is none', part(oddHeaders, 'b') + end],
    ['two headers that are none, and no end', part(oddHeaders, 'b') + part(oddHeaders, 'b') + file('c', 'd')],
    ['a file that begins after the last boundary', `${end}--limite\r\n${file('c', 'd')}`],
    ['a file that is begun by halves', `${'\r\n--limite-'.repeat(2)}\r\n--limite\r${file('c', 'd')}${file('c', 'd')}`],
    ['a header of 20 kB', part(`Content-Disposition: form-data; name="${'a'.repeat(20_000)}"`, 'b') + end],
  ])('%s is broken', async (_what, body) => {
    expect(await read(body)).toBe('broken');
  });

  test('one part more than the most is too many', async () => {
    const parts = Array.from({ length: largestPartCount + 1 }, (_, index) => field(`a${index}`, 'b'));
    expect(await read(parts.slice(1).join('') + end)).toHaveProperty('fields.a1', 'b');
    expect(await read(parts.join('') + end)).toBe('too-many-parts');
  });

  test.each([
    ['file', file],
    ['field', field],
  ])('a %s above the largest size is too large', async (_kind, make) => {
    expect(await read(make('a', 'b'.repeat(largestPartBytes + 1)) + field('c', 'd') + end)).toBe('part-too-large');
  });

  test.each([
    [file('a', 'b') + file('a', 'b')],
    [field('a', 'b') + field('a', 'b')],
    [file('a', 'b') + field('a', 'b')],
    [field('a', 'b') + file('a', 'b')],
  ])('a name that two parts have is refused: %#', async (parts) => {
    expect(await read(parts + end)).toBe('repeated-part');
  });

  test('reading always comes to an end, whatever the bytes', async () => {
    const pieces = [
      '--limite',
      '\r\n',
      '--',
      '\r',
      '\n',
      'Content-Disposition: form-data; name=a',
      '; filename=b',
      ':',
    ];
    const piece = fc.oneof(fc.constantFrom(...pieces, field('a', 'b'), file('c', 'd'), end), fc.string());
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (body) => {
        expect(await read(body.join(''))).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });
});

describe('hostile bodies', () => {
  test.each([
    ['10,000 files', file('a', 'b').repeat(10_000) + end],
    ['1,500,000 boundaries', '--limite\r\n'.repeat(1_500_000)],
    ['a file of 16 MiB without an end', file('a', 'b'.repeat(16 * 1024 * 1024))],
  ])('%s take little memory', async (_what, body) => {
    const rawBody = Buffer.from(body);
    const before = process.memoryUsage();
    expect(await readForm({ contentType, rawBody })).toHaveProperty('fault');
    const after = process.memoryUsage();
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(64e6);
    expect(after.heapUsed - before.heapUsed).toBeLessThan(64e6);
  });
});
