import type { Form } from '../schemas/evidence.ts';
import type { Mask } from './masking.ts';

const writings = {
  'upper-case': (text) => text.toUpperCase(),
  'lower-case': (text) => text.toLowerCase(),
  'first-letter-upper-case': (text) => text.replace(/[a-z]/, (letter) => letter.toUpperCase()),
  base64: (hex) => Buffer.from(hex, 'hex').toString('base64'),
  uuid: (hex) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  'bytes-reversed': (hex) => Buffer.from(Buffer.from(hex, 'hex').toReversed()).toString('hex'),
} as const satisfies Record<string, (text: string) => string>;

type Writing = keyof typeof writings;
const isWriting = (name: string): name is Writing => name in writings;
const writingNames = Object.keys(writings).filter(isWriting);

/** Below this length a text is found in another by accident. */
const leastLength = 8;

/**
 * How `made` was made of `source`; `undefined` where it was not. Whoever has the mask's text for the source, and no more,
 * learns nothing of it: no form says which characters it has.
 */
export function formOf(source: string, made: string, mask: Mask): Form | undefined {
  if (made === source) return { between: ['', ''] };
  if (source.length < leastLength || made.length < leastLength) return undefined;
  return betweenOf(source, made, mask) ?? writingOf(source, made) ?? dropOf(source, made) ?? changeOf(source, made);
}

function betweenOf(source: string, made: string, mask: Mask): Form | undefined {
  const between = made.split(source);
  // Another secret may begin like this one: what is left of it must not show.
  return between.length > 1 && between.join(mask(source)) === mask(made) ? { between } : undefined;
}

function writingOf(source: string, made: string): Form | undefined {
  const as = writingNames.find((name) => writings[name](source) === made);
  return as && { as };
}

function dropOf(source: string, made: string): Form | undefined {
  const dropStart = source.indexOf(made);
  return dropStart < 0 ? undefined : { dropStart, dropEnd: source.length - dropStart - made.length };
}

function changeOf(source: string, made: string): Form | undefined {
  if (source.length !== made.length) return undefined;
  const changed = Array.from({ length: source.length }, (_, at) => at).filter((at) => source[at] !== made[at]);
  const [changedAt] = changed;
  return changed.length === 1 && changedAt !== undefined ? { changedAt } : undefined;
}
