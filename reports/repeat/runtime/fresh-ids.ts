import type { Step } from '../../../schemas/evidence.ts';
import { jsonIn, membersOf, type Call } from './kit.ts';

/** Signs that take the place of each other: what an id looks like, a number with a zero in front or an exponent, stays so. */
const alphabets = ['123456789', 'abcdf', 'ghijklmnopqrstuvwxyz'];

/**
 * The ends of ids that the run issued under, and others for this time: at an application that was there before the run they are taken,
 * and a service may wrongly take them to be so at one that is made anew.
 * What was like one of them, in other letters or shorter, is so again. An id that was sent last, for nothing but to be refused, stays.
 */
export function freshIds(steps: readonly Step[], isRefusalDue: boolean): [was: string, is: string][] {
  const issued = (isRefusalDue ? steps.slice(0, -1) : steps).filter(
    (step): step is Call => step.kind === 'call' && isIssued(step),
  );
  const other = new Map(alphabets.flatMap(shuffled));
  const replaced = (end: string): string =>
    Array.from(end)
      .map((sign) => other.get(sign) ?? other.get(sign.toLowerCase())?.toUpperCase() ?? sign)
      .join('');
  return issued.flatMap(endsOf).map((end) => [end, replaced(end)]);
}

function isIssued({ evidence: { request, response } }: Call): boolean {
  return (
    request.method === 'POST' && request.target.endsWith('/nf-e') && response !== undefined && response.status < 300
  );
}

/** The signs of an alphabet, each with one of it that is drawn. */
function shuffled(alphabet: string): [string, string][] {
  const drawn = Array.from(alphabet)
    .map((sign) => ({ sign, rank: Math.random() }))
    .toSorted((a, b) => a.rank - b.rank);
  return drawn.map(({ sign }, at) => [alphabet[at] ?? sign, sign]);
}

/** Signs that a run draws at least, so that no other word is taken for them. */
const leastDrawn = 8;

/** The drawn part of an id as it stands in the body, whole and without its last sign, in each letter case. */
function endsOf({ evidence: { request } }: Call): string[] {
  const text = request.body?.text ?? '';
  const id = String(membersOf(jsonIn(text)).id);
  const end = id.split(/[^\dA-Za-z]+/).findLast(({ length }) => length >= leastDrawn);
  if (end === undefined || !text.includes(end)) return [];
  return [end, end.slice(0, -1)].flatMap((one) => [one, one.toLowerCase(), one.toUpperCase()]);
}
