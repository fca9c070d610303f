import { describe, expect, test } from 'vitest';
import { decodeXml } from './document.ts';

function xml(encoding: string | undefined, text = '<a>ação</a>'): string {
  return encoding === undefined ? text : `<?xml version="1.0" encoding="${encoding}"?>${text}`;
}

const bom = '\uFEFF';

function bigEndian(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

describe('the text of a document', () => {
  test.each<readonly [string, Buffer]>([
    ['UTF-8 that says nothing', Buffer.from(xml(undefined))],
    ['UTF-8 that says so', Buffer.from(xml('UTF-8'))],
    ['UTF-8 that says so in lower case', Buffer.from(xml('utf-8'))],
    ['UTF-8 with a byte order mark', Buffer.from(bom + xml('UTF-8'))],
    ['UTF-16 in little endian', Buffer.from(bom + xml('UTF-16'), 'utf16le')],
    ['UTF-16 in big endian', bigEndian(bom + xml('UTF-16'))],
    ['UTF-16 without a byte order mark', Buffer.from(xml('UTF-16LE'), 'utf16le')],
    ['UTF-16 in big endian without a byte order mark', bigEndian(xml('UTF-16'))],
    ['ISO-8859-1', Buffer.from(xml('ISO-8859-1'), 'latin1')],
    ['windows-1252', Buffer.from(xml('windows-1252'), 'latin1')],
  ])('is read from %s', (_, bytes) => {
    expect(decodeXml(bytes)?.endsWith('<a>ação</a>')).toBe(true);
    expect(decodeXml(bytes)?.startsWith('<')).toBe(true);
  });

  test('in ISO-8859-1 has control characters where windows-1252 has quotes', () => {
    const bytes = (encoding: string): Buffer => Buffer.from(xml(encoding, '<a>\x93</a>'), 'latin1');
    expect(decodeXml(bytes('ISO-8859-1'))).toContain('\x93');
    expect(decodeXml(bytes('windows-1252'))).toContain('“');
  });
});

describe('an encoding is refused', () => {
  test.each<readonly [string, Buffer]>([
    ['bytes that are not UTF-8', Buffer.from(xml(undefined), 'latin1')],
    ['UTF-8 that stops within a character', Buffer.from('<a>ç').subarray(0, -1)],
    ['a surrogate in UTF-8', Buffer.from([0x3c, 0x61, 0xed, 0xa0, 0x80])],
    ['a character in more bytes than it takes', Buffer.from([0x3c, 0x61, 0xc0, 0xaf])],
    ['UTF-8 that says UTF-16', Buffer.from(xml('UTF-16'))],
    ['UTF-8 with a byte order mark that says ISO-8859-1', Buffer.from(bom + xml('ISO-8859-1'))],
    ['UTF-16 that says UTF-8', Buffer.from(bom + xml('UTF-8'), 'utf16le')],
    ['UTF-16 in little endian that says big endian', Buffer.from(bom + xml('UTF-16BE'), 'utf16le')],
    ['UTF-16 with half a character', Buffer.concat([Buffer.from(`${bom}<a/>`, 'utf16le'), Buffer.from([0])])],
    ['US-ASCII with an accent', Buffer.from(xml('US-ASCII'), 'latin1')],
    ['UTF-32', Buffer.from('fffe00003c000000', 'hex')],
    ['UTF-32 without a byte order mark', Buffer.from('0000003c00000061', 'hex')],
    ['UTF-7', Buffer.from(xml('UTF-7'))],
    ['an encoding that does not exist', Buffer.from(xml('NONE-1'))],
    ['a name that every object has', Buffer.from(xml('constructor'))],
  ])('for %s', (_, bytes) => {
    expect(decodeXml(bytes)).toBeUndefined();
  });
});
