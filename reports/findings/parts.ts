import { type Break, timesOf } from './breaks.ts';

/** What is wrong of a delivery: its address, its token, its signature, or a field of its body, and in which way. */
interface Part {
  readonly name: string;
  readonly way: string;
}

/** The clauses that are about one thing beside the body. */
const besideBody: readonly (readonly [string, RegExp])[] = [
  ['address', /^webhook-url\.called-exactly$/],
  ['token', /^(?:issuance-callback\.token|webhook-delivery\.no-token-on-verdicts)$/],
  ['signature', /^webhook-signature\./],
];

/** The field that a clause is about which shows nothing but a value. */
const fieldOf = /^(?:issuance-callback|verdict-event)\.(nfe-id|empresa-id|reason)\b/;

/** Ways in which several fields may be wrong for one reason, by what is shown of a field. */
const ways: readonly (readonly [string, RegExp])[] = [
  ['missing', /^missing\b/],
  ['null', /^null\b/],
  ['empty', /^""/],
  ['a time', /^"?\d{4}-\d\d-\d\dT/],
  ['another type', /^(?:-?[\d.]+|true|false|an? (?:object|array|number|boolean|text)\b.{0,40}), but is to be /],
  ['a text', /^"/],
];

/** The part of a delivery that a clause is broken by; `undefined` where it is about more than one part, or about none. */
function partOf({ clause: { id }, actual }: Break): Part | undefined {
  const beside = besideBody.find(([, ids]) => ids.test(id))?.[0];
  // What goes to another address bears the token of that.
  if (beside !== undefined) return { name: beside, way: beside === 'signature' ? beside : 'address' };
  if (!/^(?:issuance-callback|verdict-event|webhook-delivery)\./.test(id)) return undefined;
  const [, told, value = ''] = /^\/?([\w/]{1,60}) is (.{1,80})/.exec(actual) ?? [];
  const name = told ?? fieldOf.exec(id)?.[1];
  const way = ways.find(([, sign]) => sign.test(told === undefined ? actual : value))?.[0];
  return name === undefined || way === undefined ? undefined : { name, way };
}

/**
 * Whether two clauses are broken by parts of a delivery that have nothing to do with one another: by two of its fields in two ways, or by
 * its token and a field. What is always wrong is so beside whatever else is.
 */
export function areApart(one: Break, other: Break): boolean {
  const [own, others] = [partOf(one), partOf(other)];
  return own !== undefined && others !== undefined && own.name !== others.name && own.way !== others.way;
}

/** Whether it is broken nearly each time. */
export function isAlways(one: Break): boolean {
  const { wrong, of } = timesOf(one);
  return of > 0 && wrong / of >= 0.9;
}
