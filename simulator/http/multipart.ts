import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { RequestFacts } from './request-facts.ts';

/** The parts of a form by their names; a part without one has an empty name. */
export interface Form {
  /** Parts with a file name, or of the type application/octet-stream. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** All others, as text: UTF-8 unless the part says otherwise. */
  readonly fields: ReadonlyMap<string, string>;
}

/** Why a body gives no form. */
export type FormFault =
  | 'not-multipart'
  | 'no-boundary'
  /** It ends before its last boundary, or the headers of a part are none. */
  | 'broken'
  | 'too-many-parts'
  | 'part-too-large'
  | 'repeated-part';

/** The most parts that a form may have. */
export const largestPartCount = 20;

/** The longest content of a part. */
export const largestPartBytes = 256 * 1024;

/** Reads a `multipart/form-data` body; never rejects. */
export async function readForm({
  contentType,
  rawBody,
}: Pick<RequestFacts, 'contentType' | 'rawBody'>): Promise<Form | { fault: FormFault }> {
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) return { fault: 'not-multipart' };
  const parser = parserFor(contentType);
  return parser ? parse(parser, rawBody) : { fault: 'no-boundary' };
}

/** `undefined` for a Content-Type without a boundary: that is when the parser throws. */
function parserFor(contentType: string): busboy.Busboy | undefined {
  // It reports a limit that is reached, not only one that is passed: hence one more.
  const limits = { parts: largestPartCount + 1, fileSize: largestPartBytes + 1, fieldSize: largestPartBytes + 1 };
  try {
    return busboy({ headers: { 'content-type': contentType }, limits });
  } catch {
    return undefined;
  }
}

function parse(parser: busboy.Busboy, rawBody: Buffer): Promise<Form | { fault: FormFault }> {
  const files = new Map<string, Buffer>();
  const fields = new Map<string, string>();
  const faults: FormFault[] = [];
  const nameOf = (name: string | undefined = ''): string => {
    if (files.has(name) || fields.has(name)) faults.push('repeated-part');
    return name;
  };
  parser.on('field', (name, text: string | undefined, { valueTruncated }) => {
    if (valueTruncated) faults.push('part-too-large');
    // There is no text when the charset that the part names does not exist.
    fields.set(nameOf(name), text ?? '');
  });
  parser.on('file', (givenName, content) => {
    const name = nameOf(givenName);
    // The next part may begin before this one has been read: its name is taken at once.
    files.set(name, Buffer.alloc(0));
    content.on('limit', () => faults.push('part-too-large'));
    readPart(content, (bytes) => files.set(name, bytes));
  });
  parser.on('partsLimit', () => faults.push('too-many-parts'));
  // More than one may come: a part with broken headers, then the end that is missing.
  parser.on('error', () => faults.push('broken'));
  return new Promise((resolve) => {
    // Comes after the end and after an error alike; by then every part has been read.
    parser.on('close', () => resolve(faults[0] === undefined ? { files, fields } : { fault: faults[0] }));
    parser.end(rawBody);
    // It has all it will get, so by now it has come to its end. After some bodies it waits for more, without a sign:
    // a file that begins after the last boundary is one.
    setImmediate(() => {
      if (!parser.closed) faults.push('broken');
      parser.destroy();
    });
  });
}

/** Reads a part to its end: one that is not read holds the parser up. */
function readPart(content: Readable, onEnd: (bytes: Buffer) => void): void {
  const chunks: Buffer[] = [];
  content.on('data', (chunk: Buffer) => chunks.push(chunk));
  content.on('end', () => onEnd(Buffer.concat(chunks)));
  // Without a listener it would end the process. The parser reports the same error.
  content.on('error', () => undefined);
}
