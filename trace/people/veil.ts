import { createHmac } from 'node:crypto';
import type { Mask } from './words-mask.ts';
import { withoutDiacritics, isOfContract } from './words.ts';

/** What evidence must not show: secrets and links anywhere, people where an allowance says what else is shown. */
export interface Veil {
  readonly mask: Mask;
  /** Absent where everything but secrets and links is shown: on a target of one's own. */
  readonly allowance?: Allowance;
}

/** By what is decided which values of a target are shown. */
export interface Allowance {
  /** Hides the people that are known, such as those of the profile. */
  readonly known: Mask;
  /** Whether the suite itself made or sent that value in this run. */
  readonly isOwn: (value: string) => boolean;
  /** Texts that stand for something hidden already, such as `$NFE_APP_SECRET`. */
  readonly stands: ReadonlySet<string>;
  /** A few characters that are alike for alike, and differ for what differs. */
  readonly mark: (value: string) => string;
}

/** An allowance at work on one message. */
export interface View extends Allowance {
  /** What stands for a value that is not shown: its length, its kind and its mark. */
  readonly hide: (value: string) => string;
}

/** The view of an allowance; `note` is told of each value that it hides, with what stands for it. */
export function viewOf(allowance: Allowance, note: (value: string, stand: string) => void = () => undefined): View {
  const hideOne = (value: string): string => {
    if (value.trim() === '') return value;
    const known = allowance.known(value);
    const stand = known === value ? standFor(value, allowance.mark) : hideAround(known);
    note(value, stand);
    return stand;
  };
  const hideAround = (text: string): string =>
    piecesOf(text, allowance.stands)
      .map((piece) => (piece.isStand || piece.text.trim() === '' ? piece.text : standFor(piece.text, allowance.mark)))
      .join('');
  const hide = (value: string): string =>
    piecesOf(value, allowance.stands)
      .map((piece) => (piece.isStand ? piece.text : hideOne(piece.text)))
      .join('');
  return { ...allowance, hide };
}

/** Marks under a key that only who knows the secrets of the run has: nobody else can try whether a guess has a mark. */
export function marksUnder(key: string): Allowance['mark'] {
  if (key === '') return () => '';
  const base = 36;
  const marks = base ** 4;
  return (value) => {
    const digest = createHmac('sha256', `people of ${key}`).update(value).digest();
    return `~${(digest.readUIntBE(0, 6) % marks).toString(base).padStart(4, '0')}`;
  };
}

/** `… 14 letters ~k7f2`. Blanks count as letters do: a name has some. */
function standFor(value: string, mark: Allowance['mark']): string {
  const length = lengthOf(value);
  const kind = kindOf(value);
  const suffix = mark(value);
  return `… ${length} ${length === 1 ? kind.slice(0, -1) : kind}${suffix === '' ? '' : ` ${suffix}`}`;
}

const standForPeople = /… \d{1,9} (?:letter|digit|character)s?(?: ~[\da-z]{4})?/;

/** Whether a text, or one within a JSON value, has a part that is told by its length: what it was can't be compared. */
export function hasStand(value: unknown): boolean {
  return standForPeople.test(JSON.stringify(value) ?? '');
}

function lengthOf(value: string): number {
  let length = 0;
  for (const _ of value) length += 1;
  return length;
}

function kindOf(value: string): 'digits' | 'letters' | 'characters' {
  if (/^\d+$/.test(value)) return 'digits';
  return /^[a-z\s]+$/i.test(withoutDiacritics(value)) ? 'letters' : 'characters';
}

/** A piece of a text, and whether it stands for something hidden. */
interface VeilPiece {
  readonly text: string;
  readonly isStand: boolean;
}

const standsThere = /\$[A-Za-z][\w.:-]*|\(another token of \d{1,9} characters\)/g;

/** A text cut around what stands in it for something hidden. */
export function piecesOf(text: string, stands: ReadonlySet<string>): VeilPiece[] {
  const pieces: VeilPiece[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(standsThere)) {
    const stand = found.startsWith('(') ? found : longestStand(found, stands);
    if (stand === undefined || index < from) continue;
    if (index > from) pieces.push({ text: text.slice(from, index), isStand: false });
    pieces.push({ text: stand, isStand: true });
    from = index + stand.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isStand: false });
  return pieces;
}

const longestName = 80;

/** The longest stand that a text begins with. */
function longestStand(text: string, stands: ReadonlySet<string>): string | undefined {
  for (let length = Math.min(text.length, longestName); length > 1; length -= 1) {
    const start = text.slice(0, length);
    if (stands.has(start)) return start;
  }
  return undefined;
}

/** Words that stand in the paths of links to documents. */
const pathWords = new Set('documentos documents danfe xml pdf download files hook webhook webhooks api'.split(' '));

/** The address of a link: scheme and host, and of the rest what is the contract's, the suite's own or hidden already. */
export function shownLink(url: string, view: View): string {
  if (view.isOwn(url)) return url;
  const scheme = /^https?:\/\//i.exec(url)?.[0];
  if (scheme === undefined || url.length > longest) return view.hide(url);
  const rest = url.slice(scheme.length);
  const hostLength = rest.search(/[/?#]/);
  const host = hostLength === -1 ? rest : rest.slice(0, hostLength);
  return scheme + (isHost(host) ? host : view.hide(host)) + shownTarget(rest.slice(host.length), view);
}

/** A path with its query of somebody else's making: the same of its pieces. */
export function shownTarget(target: string, view: View): string {
  if (view.isOwn(target)) return target;
  return target.replaceAll(pieceOfTarget, (piece) => shownPiece(piece, view));
}

/** What stands between the signs that divide a path and its query. */
export const pieceOfTarget = /[^/?#&=;]+/g;

const longest = 2_000;

function shownPiece(piece: string, view: View): string {
  const isShown = view.isOwn(piece) || pathWords.has(piece) || /^v\d\d$/.test(piece) || isOfContract(piece);
  return isShown || tellsNobody(piece) ? piece : view.hide(piece);
}

/** Whether a piece holds no more than two letters or digits; in some scripts two letters are a name. */
function tellsNobody(piece: string): boolean {
  const signs = piece.length <= longest ? (percentDecoded(piece).match(/[\p{L}\p{N}]/gu) ?? []) : [piece];
  return signs.length <= 2 && signs.every((sign) => /^[\p{Script=Latin}\d]$/u.test(sign));
}

/** A text as it reads without percent-encoding; what is encoded wrong stays as it is. */
export function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** A host by name or number, and perhaps a port: no words with blanks, and no number that is somebody's. */
function isHost(host: string): boolean {
  return host.length <= 253 && /^[a-z\d.-]+(?::\d{1,5})?$/i.test(host) && !/\d{6}/.test(host);
}
