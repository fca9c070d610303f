import { isUtf8 } from 'node:buffer';
import type { ExchangeRecord } from '../trace/records.ts';

/** What requests have been read as: many clauses ask for the same one. */
const known = new WeakMap<ExchangeRecord, { readonly value: unknown }>();

/** The JSON value of a request that everybody reads alike: JSON by its media type, in UTF-8, not packed; `undefined` for none. */
export function sentJson(record: ExchangeRecord): unknown {
  const read = known.get(record) ?? { value: jsonSentIn(record) };
  known.set(record, read);
  return read.value;
}

function jsonSentIn({ requestHeaders, requestBody }: ExchangeRecord): unknown {
  if (!/^application\/json(?:; *charset=utf-8)?$/i.test(requestHeaders.get('content-type') ?? '')) return undefined;
  if (requestHeaders.has('content-encoding') || !isUtf8(requestBody)) return undefined;
  try {
    const value: unknown = JSON.parse(requestBody.toString('utf8'));
    return value;
  } catch {
    return undefined;
  }
}

/** Whether a request that is a JSON object has one member, written once: of a name that stands there twice readers take either. */
export function hasOneMember({ requestBody }: ExchangeRecord): boolean {
  const text = requestBody.toString('utf8');
  let [isInText, colons] = [false, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInText && code === backslash) at += 1;
    else if (code === quote) isInText = !isInText;
    else if (!isInText && code === colon) colons += 1;
  }
  return colons === 1;
}

const [quote, colon, backslash] = [0x22, 0x3a, 0x5c];
