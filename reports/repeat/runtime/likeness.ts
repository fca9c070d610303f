import { brotliDecompressSync, unzipSync } from 'node:zlib';
import type { BodyEvidence } from '../../../schemas/evidence.ts';
import {
  jsonIn,
  pairs,
  type Headers,
  hasMask,
  isHiddenWhole,
  fits,
  holdsSecret,
  namesSecret,
  shownLength,
} from './kit.ts';
import { brief, isToldName, told } from './telling.ts';

/** Characters of a text that is a value, and no document. */
const mostOfText = 200;

/** In the place of bytes that are no text. */
const notShown = /^\([^()]+, not shown\)$/;

/** A number that a report hides where it stands as one, and what is read in its place. */
const hiddenDigits = /(?<=[[:,] ?)… \d{1,9} (?:digit|character)s?(?: ~[\da-z]{4})?(?=[\]},])/g;
const hiddenNumber = 0.123456789;

/** How far two times may differ that are alike, by the clock of their application. */
const alikeMs = 20_000;

/** Milliseconds that may lie between a time in the run and that of now: on the clock of an application, or on that of the wall. */
type Shifts = readonly number[];

/** A link in what came, how the run shows its like, and what it leads to by its name. */
export interface Link {
  readonly was: string;
  readonly is: string;
  readonly leadsTo: 'xml' | 'danfe';
}

/** What stands for what: of values that are made anew each time, the one of the run and the one of now. */
export class Likeness {
  #known = new Map<string, string>();
  /** Numbers of invoices, by company and series one after the other. */
  #counted = new Map<string, string>();
  #links: Link[] = [];
  /** What was sent, in the run and now. */
  readonly #sent: { was: string; is: string }[] = [];
  /** The words of what was expected. */
  readonly #demanded: ReadonlySet<string>;

  constructor(expected = '') {
    this.#demanded = new Set(expected.split(/[\s"'“”,;]+/));
  }

  copy(): Likeness {
    const copy = new Likeness([...this.#demanded].join(' '));
    copy.#known = new Map(this.#known);
    copy.#counted = new Map(this.#counted);
    copy.#sent.push(...this.#sent);
    return copy;
  }

  same(was: string, is: string): void {
    this.#known.set(was, is);
  }

  /** Notes what was sent in the run, and what in its place now. */
  sent(was: string, is: string): void {
    this.#sent.push({ was, is });
  }

  takeLinks(): Link[] {
    return this.#links.splice(0);
  }

  /** A text of the run with what is new in the place of what was. */
  translated(text: string): string {
    return [...this.#known]
      .filter(([was]) => was.length >= 6)
      .toSorted(([one], [other]) => other.length - one.length)
      .reduce((all, [was, is]) => all.split(was).join(is), text);
  }

  /** The first difference that tells, between a message of the run and one of now; `undefined` where there is none. */
  ofMessages(
    was: { headers: readonly (readonly string[])[]; body?: BodyEvidence },
    is: { headers: Headers; body: Buffer },
    shifts: Shifts,
  ): string | undefined {
    return (
      this.#ofHeaders(pairs(was.headers), is.headers, shifts) ??
      this.#ofBodies(was.body, plain(is).toString('utf8'), shifts)
    );
  }

  #ofHeaders(was: Headers, is: Headers, shifts: Shifts): string | undefined {
    const telling = /^(?:content-type|content-encoding|location|set-cookie|token|x-.+)$/i;
    const valuesOf = (headers: Headers): Map<string, string> =>
      new Map(headers.filter(([name]) => telling.test(name)).map(([name, value]) => [name.toLowerCase(), value]));
    const [before, now] = [valuesOf(was), valuesOf(is)];
    for (const name of new Set([...before.keys(), ...now.keys()])) {
      const [one, other] = [before.get(name), now.get(name)];
      // Whether a signature is right was told before; it is made anew each time.
      if (one === undefined || other === undefined)
        return `header ${name}: ${this.#told(one, other)}, in the run ${one ?? 'missing'}`;
      // An id of an event, which is hidden: its mark tells it from others.
      if (isHiddenWhole(one) && name.endsWith('-id')) {
        if (this.#known.has(one) ? this.#known.get(one) !== other : this.#isKnown(other))
          return `header ${name}: ${this.#told(one, other)}, in the run ${one}`;
        this.same(one, other);
      }
      if (name.endsWith('-signature') ? !isShapedAlike(one, other) : !this.#alike(one, other, shifts))
        return `header ${name}: ${this.#told(one, other)}, in the run ${one}`;
    }
    return undefined;
  }

  #ofBodies(was: BodyEvidence | undefined, other: string, shifts: Shifts): string | undefined {
    if (was?.cut && was.encoding !== 'utf-8') return undefined;
    const one = Buffer.from(was?.text ?? '', was?.encoding === 'base64' ? 'base64' : 'utf8').toString('utf8');
    const isCut = was?.cut === true;
    const shownJson = withNumbers(one);
    const [before, now] = [jsonIn(isCut ? closed(shownJson) : shownJson), jsonIn(other)];
    if (isCut && before === undefined && /^\s*(?:[[{]|$)/.test(one)) return undefined;
    if ((before === undefined) !== (now === undefined))
      return now === undefined ? 'a body that is no JSON, in the run JSON' : 'JSON, in the run not';
    if (before !== undefined) return this.#ofJson(before, now, '', shifts, isCut);
    // Nothing but its length tells of what the report does not show.
    if (notShown.test(one)) return undefined;
    if ((one === '') !== (other === '')) return other === '' ? 'no body, in the run one' : 'a body, in the run none';
    const names = [...this.#known].filter(([name]) => name.length >= 12);
    const numbers = [...this.#counted].map(([then, is]) => [`nNF>${then}<`, `nNF>${is}<`] as const);
    const odd = [...names, ...numbers].find(([name, is]) =>
      one.includes(name) ? !other.includes(is) : !isCut && other.includes(is),
    );
    const element = otherElement(one, other, isCut);
    if (element !== undefined) return element;
    if (odd) return `a text that ${one.includes(odd[0]) ? 'does not name' : 'names'} ${odd[1]}`;
    return one.slice(0, 12) === other.slice(0, 12) ||
      (one.length <= mostOfText && this.#alike(one, other, shifts)) ||
      /[$…]/.test(one.slice(0, 30))
      ? undefined
      : `the body is ${this.#told(one, other)}, in the run ${one.slice(0, 60)}`;
  }

  /** Of what was cut off, only what is left of it tells. */
  #ofJson(was: unknown, is: unknown, at: string, shifts: Shifts, isCut: boolean): string | undefined {
    const place = at === '' ? 'the body' : at;
    if (typeof was !== typeof is || Array.isArray(was) !== Array.isArray(is) || (was === null) !== (is === null))
      return `${place} is ${this.#told(was, is)}, in the run ${brief(was)}`;
    if (typeof was === 'object' && was !== null && typeof is === 'object' && is !== null) {
      const [before, now] = [new Map(Object.entries(was)), new Map(Object.entries(is))];
      for (const key of new Set([...before.keys(), ...now.keys()])) {
        const name = now.has(key) ? key : hiddenName(key, before, now);
        if (name === undefined) {
          // Of a name that is hidden and may stand for several nothing is told.
          if (hasMask(key)) continue;
          return `${at}/${key} is missing, in the run ${brief(before.get(key))}`;
        }
        if (!before.has(key)) {
          if (isCut || [...before.keys()].some(hasMask)) continue;
          return `${at}/${isToldName(key) ? key : '…'} is there, in the run it was missing`;
        }
        const difference = this.#ofJson(before.get(key), now.get(name), `${at}/${name}`, shifts, isCut);
        if (difference !== undefined) return difference;
      }
      return undefined;
    }
    const [inner, own] = [objectIn(was), objectIn(is)];
    if (inner && own) return this.#ofJson(inner, own, at, shifts, isCut);
    if (isCounted(at, was) && isCounted(at, is)) return this.#ofCounted(String(was), String(is), at);
    if (isHiddenWhole(String(was)) && this.#isOwn(at, is))
      return `${place} is ${this.#told(was, is)}, in the run ${brief(was)}`;
    if (at === '/empresaId' && this.#isNew(was, is)) {
      this.same(String(was), String(is));
      return undefined;
    }
    if (typeof was === 'string' && typeof is === 'string' && /^(?:https?:\/)?\/\S+$/.test(is))
      this.#links.push({ was, is, leadsTo: /danfe/i.test(at) ? 'danfe' : 'xml' });
    const isAlike =
      typeof was === 'string' && typeof is === 'string'
        ? this.#alike(was, is, shifts)
        : was === is || was === hiddenNumber || isTime(was, is, shifts);
    return isAlike ? undefined : `${place} is ${this.#told(was, is)}, in the run ${brief(was)}`;
  }

  /** Whether an echo, the id of an invoice, or an App Key, is what this repetition has sent, or has: what a run has itself its report shows. */
  #isOwn(at: string, is: unknown): boolean {
    if (at === '/data/appKey') return this.#isKnown(String(is));
    return (at === '/data/echo' || at === '/nfeId') && this.#sent.some((one) => one.is.includes(JSON.stringify(is)));
  }

  /** Whether a company got its id by this answer, which may look like anything: none was sent before. */
  #isNew(was: unknown, is: unknown): boolean {
    const isOf = (id: unknown, when: 'was' | 'is'): boolean =>
      typeof id === 'string' && id !== '' && !this.#isSent(id, when);
    return isOf(was, 'was') && isOf(is, 'is') && !this.#known.has(String(was)) && !this.#isKnown(String(is));
  }

  /** What came now, which is told as it is where this repetition made it: numbers may be those of people. */
  #told(was: unknown, is: unknown): string {
    const isOwn = typeof is === 'string' && !/^\d+$/.test(is) && (this.#isKnown(is) || this.#isSent(is, 'is'));
    return isOwn ? brief(is) : told(was, is);
  }

  /** A number of an invoice goes on counting: another one takes its place, the same one wherever it stood. */
  #ofCounted(was: string, is: string, at: string): string | undefined {
    const known = this.#counted.get(was);
    const isOther = known === undefined ? [...this.#counted.values()].includes(is) : known !== is;
    if (isOther) return `${at} is ${is}, in the run ${was}`;
    this.#counted.set(was, is);
    return undefined;
  }

  /** Whether that is a value of now which takes the place of one of the run. */
  #isKnown(is: string): boolean {
    return is.length >= 6 && [...this.#known.values()].includes(is);
  }

  #isSent(text: string, when: 'was' | 'is'): boolean {
    const written = JSON.stringify(text).slice(1, -1);
    return this.#sent.some((one) => one[when].includes(text) || one[when].includes(written));
  }

  /** Whether what comes back as it is sent was longer or shorter in the run, of which parts are hidden. */
  #isSentOtherwise(was: string, is: string): boolean {
    const length = shownLength(was);
    return length !== undefined && Array.from(is).length !== length && this.#isSent(is, 'is');
  }

  /** Whether a report shows what came now, where it hid what came in the run: a word that was expected, an address, another form. */
  #isShown(was: string, is: string): boolean {
    return this.#demanded.has(is) || (isHiddenWhole(was) && (/^https?:\/\//.test(is) || isOfOtherForm(was, is)));
  }

  #alike(was: string, is: string, shifts: Shifts): boolean {
    const known = this.#known.get(was);
    if (known !== undefined) return known === is;
    if (was === is || this.translated(was) === is) return true;
    if (namesSecret(was) && !holdsSecret(is)) return false;
    if (hasMask(was))
      return is !== '' && !this.#isShown(was, is) && fits(this.translated(was), is) && !this.#isSentOtherwise(was, is);
    if (this.#isKnown(is)) return false;
    if (timeOf(was) && timeOf(is)) return isTime(was, is, shifts);
    // What came back as it was sent is no other value that looks like it.
    if (was.length >= 8 && this.#isSent(was, 'was') !== this.#isSent(is, 'is')) return false;
    if (shapeOf(was) === shapeOf(is) && isMade(was) && isMade(is)) {
      this.#known.set(was, is);
      return true;
    }
    const split = /[^A-Za-z0-9_.%-]+/;
    const [one, other] = [was.split(split), is.split(split)];
    if (
      one.length < 2 ||
      one.length !== other.length ||
      was.replaceAll(/[A-Za-z0-9_.%-]+/g, '') !== is.replaceAll(/[A-Za-z0-9_.%-]+/g, '')
    )
      return false;
    return one.every(
      (piece, at) => this.#alike(piece, other[at] ?? '', shifts) || (/^https?:/.test(was) && /^\d{2,5}$/.test(piece)),
    );
  }
}

/** The name of a member that a report shows by a mask, where one alone may be it. */
function hiddenName(
  masked: string,
  before: ReadonlyMap<string, unknown>,
  now: ReadonlyMap<string, unknown>,
): string | undefined {
  if (!hasMask(masked)) return undefined;
  const fitting = [...now.keys()].filter(
    (name) => !before.has(name) && fits(masked, name) && shownLength(masked) === Array.from(name).length,
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** A body without its content coding, as a report shows it. */
function plain({ headers, body }: { headers: Headers; body: Buffer }): Buffer {
  const coding = headers.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1]?.toLowerCase() ?? '';
  try {
    if (coding === 'br') return brotliDecompressSync(body);
    return /^(?:x-)?gzip$|^deflate$/.test(coding) ? unzipSync(body) : body;
  } catch {
    return body;
  }
}

/** JSON as a report shows it, with a number where one is hidden: in a text, it is that text which is hidden. */
function withNumbers(json: string): string {
  const pieces = json.split(/(?<!\\)"/);
  return pieces
    .map((piece, at) => (at % 2 === 0 ? piece.replaceAll(hiddenDigits, String(hiddenNumber)) : piece))
    .join('"');
}

/** The first element of a document that comes where another came in the run; a page for people may look otherwise each time. */
function otherElement(was: string, is: string, isCut: boolean): string | undefined {
  if (!/^\s*<(?!!|html)/i.test(was)) return undefined;
  const namesOf = (text: string) => Array.from(text.matchAll(/<([^\s/>!?][^\s/>]{0,99})/g), ([, name]) => name);
  const [before, now] = [namesOf(was), namesOf(is)];
  const told = isCut ? before.length - 1 : Math.max(before.length, now.length);
  const at = Array.from({ length: Math.max(0, told) }).findIndex(
    // A name may be hidden, too.
    (_, place) => before[place] !== now[place] && !/^[$…]/.test(before[place] ?? ''),
  );
  return at < 0 ? undefined : `${now[at] ?? 'the end'} in a document, where in the run ${before[at] ?? 'the end'} was`;
}

/** The object that a text holds as JSON. */
function objectIn(value: unknown): object | undefined {
  const json = typeof value === 'string' && value.startsWith('{') ? jsonIn(value) : undefined;
  return typeof json === 'object' && json !== null ? json : undefined;
}

/** JSON that was cut off, closed behind the last value that is whole. */
function closed(text: string): string {
  const open: string[] = [];
  let [whole, isText] = ['', false];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at] ?? '';
    if (isText && unit === '\\') at += 1;
    else if (unit === '"') isText = !isText;
    else if (!isText) {
      // Behind a comma a value has ended, and nothing of the next one has begun.
      if (unit === ',') whole = text.slice(0, at) + open.toReversed().join('');
      else if (unit === '{' || unit === '[') open.push(unit === '{' ? '}' : ']');
      else if (unit === '}' || unit === ']') open.pop();
    }
  }
  return whole;
}

/** Digits that no other form of that length has by chance. */
const tellingDigits = 12;

/** Whether a text can't be made by the rule that made one which is hidden: digits for anything else, or far longer or shorter. */
function isOfOtherForm(hidden: string, is: string): boolean {
  const [, count, kind = ''] = /^… (\d+) (letter|digit|character)/.exec(hidden) ?? [];
  const [one, other] = [Number(count), Array.from(is).length];
  const isAllDigits = /^\d+$/.test(is);
  const isOtherKind = kind === 'digit' ? one >= tellingDigits && !isAllDigits : other >= tellingDigits && isAllDigits;
  return isOtherKind || Math.max(one, other) > 2 * Math.min(one, other) + tellingDigits;
}

/** Whether two values that are made anew each time are of one form; of one that is hidden only its length is told. */
function isShapedAlike(was: string, is: string): boolean {
  const hidden = /^… (\d+) (?:letter|digit|character)s?\b/.exec(was)?.[1];
  return hidden === undefined ? shapeOf(was) === shapeOf(is) : is.length === Number(hidden);
}

/** Letters and digits as such: values that are made by one rule have one shape. */
function shapeOf(text: string): string {
  const isHex = /^[0-9a-f-]{8,}$/.test(text);
  const isCapitalHex = /^[0-9A-F-]{8,}$/.test(text);
  if (/^\d+$/.test(text)) return text.replaceAll(/\d/g, '9');
  if (isBase64(text)) return `base64 ${text.length}`;
  if (isHex || isCapitalHex) return text.replaceAll(/[0-9a-fA-F]/g, isHex ? 'f' : 'F');
  return `${text.length > 16 || /\d/.test(text) ? text.length : text} ${/[^\w.-]/.test(text) ? text : ''}`;
}

/** Whether a value is one that is made anew each time, rather than a word of the contract. */
function isMade(text: string): boolean {
  return isBase64(text) || (text.length >= 6 && /\d/.test(text) && !/\s/.test(text));
}

function isBase64(text: string): boolean {
  return (
    text.length >= 16 &&
    text.length % 4 === 0 &&
    /[\d+/=]/.test(text) &&
    /[+/=]/.test(text) &&
    /^[A-Za-z0-9+/]+={0,2}$/.test(text)
  );
}

function isTime(was: unknown, is: unknown, shifts: Shifts): boolean {
  const [one, other] = [timeOf(was), timeOf(is)];
  if (one === undefined || other === undefined || one.form !== other.form) return false;
  // What was kept since the run has its time.
  return [...shifts, 0].some((shift) => Math.abs(other.ms - one.ms - shift) <= alikeMs);
}

function timeOf(value: unknown): { ms: number; form: string } | undefined {
  const text = String(value);
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text)))
    return { ms: Date.parse(text), form: text.replaceAll(/\d/g, '9') };
  const seconds = /^1\d{9}$/.test(text) ? Number(text) : undefined;
  if (seconds !== undefined) return { ms: seconds * 1000, form: 'seconds' };
  return /^1\d{12}$/.test(text) ? { ms: Number(text), form: 'milliseconds' } : undefined;
}

/** Whether that is the number of an invoice, which its company counts on. Sections 2.2 and 4.1. */
function isCounted(at: string, value: unknown): boolean {
  return /\/(?:numero|nfeNumero)$/.test(at) && /^\d{1,9}$/.test(String(value));
}
