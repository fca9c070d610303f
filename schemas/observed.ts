import { closed, count, text } from './texts.ts';
import type { FromSchema } from 'json-schema-to-ts';
import { readJson } from './values.ts';

/** Of a request with several faults: the one that was answered, and one that was not. */
export const observedOrder = {
  ...closed,
  required: ['first', 'second'],
  properties: {
    first: text,
    second: text,
    /** Platform code that each of them is answered with when it is alone. */
    firstCode: { type: 'integer' },
    secondCode: { type: 'integer' },
  },
} as const;

/** When a delivery that was not acknowledged was tried again. */
export const observedLadder = {
  ...closed,
  required: ['channel', 'source', 'retriesSeconds', 'watchedSeconds'],
  properties: {
    channel: { enum: ['issuance', 'verification'] },
    /** By a clock that the suite moved in steps, by waiting, or in what a receiver had stored before. */
    source: { enum: ['moved-clock', 'real-time', 'stored'] },
    /** Seconds after the first attempt. */
    retriesSeconds: { type: 'array', items: { type: 'number', minimum: 0 } },
    /** Seconds after the first attempt until which retries were refused and looked for. */
    watchedSeconds: { type: 'number', minimum: 0 },
  },
} as const;

/** What a JSON body or a part of it can be, and what a body can be that is no JSON. */
const observedTypes = ['string', 'integer', 'number', 'boolean', 'null', 'object', 'array', 'empty', 'text'] as const;

/** What the answers of an endpoint with one status looked like: recorded for comparison, never judged, without values. */
export const observedShape = {
  ...closed,
  required: ['endpoint', 'status', 'responses', 'contentTypes', 'fields'],
  properties: {
    /** Name of the endpoint, of a retired one its method and path, or `other`. */
    endpoint: text,
    status: { type: 'integer' },
    /** How many answers came; each check looks at its first few. */
    responses: count,
    contentTypes: { type: 'array', items: text },
    fields: {
      type: 'array',
      items: {
        ...closed,
        required: ['pointer', 'types', 'always'],
        properties: {
          pointer: text,
          types: { type: 'array', items: { enum: observedTypes } },
          /** Seen wherever what holds it was an object (for items: an array). */
          always: { type: 'boolean' },
        },
      },
    },
  },
} as const;

export type ObservedOrder = FromSchema<typeof observedOrder>;
export type ObservedLadder = FromSchema<typeof observedLadder>;
export type ObservedShape = FromSchema<typeof observedShape>;
export type ObservedField = ObservedShape['fields'][number];
export type ObservedType = ObservedField['types'][number];

/** Every observed ladder once: by channel, then by how it was seen, then by its retries. */
export function distinctLadders(ladders: readonly ObservedLadder[]): ObservedLadder[] {
  const once = new Map(ladders.map((ladder) => [keyOf(ladder), ladder]));
  return [...once].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ladder]) => ladder);
}

function keyOf({ channel, source, retriesSeconds, watchedSeconds }: ObservedLadder): string {
  return [channel, source, ...retriesSeconds, `of ${watchedSeconds}`].join(' ');
}

/** Merges observations to one for each endpoint and status, in the order of their names and numbers. */
export function mergeObserved(observed: readonly ObservedShape[]): ObservedShape[] {
  const groups = Map.groupBy(observed, ({ endpoint, status }) => `${status} ${endpoint}`);
  return [...groups.values()].map((group) => group.reduce(both)).sort(byName);
}

function both(a: ObservedShape, b: ObservedShape): ObservedShape {
  return {
    endpoint: a.endpoint,
    status: a.status,
    responses: a.responses + b.responses,
    contentTypes: [...new Set([...a.contentTypes, ...b.contentTypes])].sort(),
    fields: [...mergeShapes(a.fields, b.fields)],
  };
}

function byName(a: ObservedShape, b: ObservedShape): number {
  if (a.endpoint === b.endpoint) return a.status - b.status;
  return a.endpoint < b.endpoint ? -1 : 1;
}

/**
 * What was seen of bodies, without any value: their fields by JSON pointer, in the order of the pointers. `*` stands for
 * the items of an array, `{name}` for a field name that may be data, `{}` for all names of an object that has too many.
 * Without fields it is the shape of no body at all.
 */
export type Shape = readonly ObservedField[];

/** Different names of one object's fields from which on they count as data. */
const mostNames = 50;
/** Levels below which a body is not looked into. */
const mostLevels = 20;
const longestName = 100;
/** A name with more digits is a number, a hash or an id rather than a name. */
const mostDigits = 6;

/** A part of a body: what it was, and what was seen within it. */
interface Part {
  readonly types: ReadonlySet<ObservedType>;
  readonly within: ReadonlyMap<string, Member>;
}

interface Member {
  readonly part: Part;
  readonly always: boolean;
}

/** The shape of one body. A number, text or constant alone is JSON only where the content type says so or is unknown. */
export function shapeOf(rawBody: Buffer, contentType?: string): Shape {
  if (rawBody.length === 0) return fieldsOf(leaf('empty'));
  const value = readJson(rawBody.toString('utf8'));
  const isJson = typeof value === 'object' && value !== null;
  const isSaidToBe = contentType === undefined || /[/+]json\b/i.test(contentType);
  return fieldsOf(value !== undefined && (isJson || isSaidToBe) ? partOf(value, 0) : leaf('text'));
}

/** The shape of all bodies of two shapes: whatever the order and grouping of merges, the result is the same. */
export function mergeShapes(a: Shape, b: Shape): Shape {
  const treeB = treeOf(b);
  if (!treeB) return a;
  const treeA = treeOf(a);
  return treeA ? fieldsOf(merged(treeA, treeB)) : b;
}

function leaf(type: ObservedType): Part {
  return { types: new Set([type]), within: new Map() };
}

function partOf(value: unknown, level: number): Part {
  const self = leaf(typeOf(value));
  if (typeof value !== 'object' || value === null || level === mostLevels) return self;
  const isArray = Array.isArray(value);
  const within = new Map<string, Member>();
  for (const [key, inner] of Object.entries(value)) {
    const step = isArray ? '*' : nameOf(key);
    const before = within.get(step);
    const part = partOf(inner, level + 1);
    within.set(step, { part: before ? merged(before.part, part) : part, always: true });
  }
  return collapsed({ types: self.types, within });
}

function typeOf(value: unknown): ObservedType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'string') return 'string';
  return typeof value === 'boolean' ? 'boolean' : 'object';
}

/** A field's name where it reads like one; else what stands for it, since it may be personal data or a secret. */
function nameOf(key: string): string {
  const digits = key.match(/\p{N}/gu)?.length ?? 0;
  const isName = /^[@$]?[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u.test(key);
  return isName && key.length <= longestName && digits <= mostDigits ? key : '{name}';
}

function merged(a: Part, b: Part): Part {
  const within = new Map([...a.within].map(([step, member]) => [step, mergedMember(step, member, b)]));
  for (const [step, member] of b.within) if (!within.has(step)) within.set(step, mergedMember(step, member, a));
  return collapsed({ types: a.types.union(b.types), within });
}

/** A member of one part and perhaps of the other; a part that could not hold it leaves it always there. */
function mergedMember(step: string, member: Member, other: Part): Member {
  const twin = other.within.get(step);
  if (twin) return { part: merged(member.part, twin.part), always: member.always && twin.always };
  return { part: member.part, always: member.always && !other.types.has(step === '*' ? 'array' : 'object') };
}

/** Folds the names of an object into `{}` once there are too many; none of them is always there. */
function collapsed(whole: Part): Part {
  const names = [...whole.within].filter(([step]) => step !== '*');
  if (names.length <= mostNames && !whole.within.has('{}')) return whole;
  const part = names.map(([, member]) => member.part).reduce(merged);
  const items = [...whole.within].filter(([step]) => step === '*');
  return { types: whole.types, within: new Map([...items, ['{}', { part, always: false }]]) };
}

function fieldsOf(root: Part): Shape {
  const fieldsAt = (pointer: string, { part, always }: Member): ObservedField[] => [
    { pointer, types: [...part.types].sort(), always },
    ...[...part.within].flatMap(([step, member]) => fieldsAt(`${pointer}/${step}`, member)),
  ];
  return fieldsAt('', { part: root, always: true }).sort((a, b) => (a.pointer < b.pointer ? -1 : 1));
}

function treeOf(shape: Shape): Part | undefined {
  const [root, ...rest] = shape;
  const byParent = Map.groupBy(rest, ({ pointer }) => pointer.slice(0, pointer.lastIndexOf('/')));
  const partAt = ({ pointer, types }: ObservedField): Part => {
    const inner = byParent.get(pointer) ?? [];
    const within = inner.map((field): [string, Member] => [
      field.pointer.slice(pointer.length + 1),
      { part: partAt(field), always: field.always },
    ]);
    return { types: new Set(types), within: new Map(within) };
  };
  return root && partAt(root);
}
