import { type TextRoom, said } from './words.ts';
import { markup, type Markup, exactLine } from './markup.ts';
import type { Phrase } from '../language.ts';
import { textBlock } from './difference.ts';

/** A case as its generator writes it, taken apart: named parts, a list, or a text. */
type Part =
  | { readonly kind: 'fields'; readonly fields: readonly (readonly [string, Part])[] }
  | { readonly kind: 'items'; readonly items: readonly Part[] }
  | { readonly kind: 'text'; readonly text: string };

/** A failing case in words: its parts under their names. What can't be taken apart stands there as it is written. */
export function caseBlock(written: string, room: TextRoom): Markup {
  if (written.length > room.block) return textBlock(written, undefined, '', room);
  const part = partOf(written.trim(), 0);
  return part.kind === 'text' ? textBlock(part.text, undefined, '', room) : shown(part, room);
}

function shown(part: Part, room: TextRoom): Markup {
  if (part.kind === 'text') {
    const isLine = part.text.length <= longestLine && !/[\r\n]/.test(part.text);
    return isLine ? markup`<code>${exactLine(part.text)}</code>` : textBlock(part.text, undefined, '', room);
  }
  if (part.kind === 'items')
    return markup`<ol class="case">${part.items.map((item) => markup`<li>${shown(item, room)}</li>`)}</ol>`;
  return markup`<dl class="case">${part.fields.map(([name, value]) => markup`<div><dt>${nameOf(name)}</dt><dd>${shown(value, room)}</dd></div>`)}</dl>`;
}

const longestLine = 160;
/** Parts within parts that are taken apart; what lies deeper shows as it is written. */
const deepest = 6;

function partOf(written: string, depth: number): Part {
  const inner = depth < deepest ? innerOf(written) : undefined;
  if (inner === undefined) return { kind: 'text', text: textOf(written) };
  const pieces = piecesOf(inner);
  if (written.startsWith('[')) {
    return { kind: 'items', items: pieces.map((piece) => partOf(piece, depth + 1)) };
  }
  const fields = joinedUnderNames(pieces).map((piece) => named.exec(piece));
  if (fields.length === 0 || fields.some((field) => field === null)) return { kind: 'text', text: written };
  const told = fields.flatMap((field) => (field ? [[field[1] ?? field[2] ?? '', field[3] ?? ''] as const] : []));
  const own = told.filter(([name]) => name !== '__proto__');
  return { kind: 'fields', fields: own.map(([name, value]) => [name, partOf(value.trim(), depth + 1)]) };
}

/** A part with its name. */
const named = /^(?:"([^"\\]*)"|(\w+)):([\s\S]*)$/;

/** What a part says in words may hold commas: a piece without a name belongs to the one before it. */
function joinedUnderNames(pieces: readonly string[]): string[] {
  const starts = pieces.flatMap((piece, at) => (at === 0 || named.test(piece) ? [at] : []));
  return starts.map((start, nth) => pieces.slice(start, starts[nth + 1]).join(', '));
}

/** What stands between the brackets of an object or a list; `undefined` of anything else. */
function innerOf(written: string): string | undefined {
  const isEnclosed =
    (written.startsWith('{') && written.endsWith('}')) || (written.startsWith('[') && written.endsWith(']'));
  return isEnclosed && written.length > 2 ? written.slice(1, -1) : undefined;
}

/** The pieces between commas that stand neither in a text nor in brackets. */
function piecesOf(inner: string): string[] {
  const ends: number[] = [];
  // A parenthesis in words may stand alone.
  const arePaired = inner.split('(').length === inner.split(')').length;
  const [opening, closing] = arePaired ? ['{[(', '}])'] : ['{[', '}]'];
  let [depth, isInText] = [0, false];
  for (let at = 0; at < inner.length; at += 1) {
    const character = inner[at] ?? '';
    if (isInText) {
      if (character === '\\') at += 1;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (opening.includes(character)) depth += 1;
    else if (closing.includes(character)) depth -= 1;
    else if (character === ',' && depth === 0) ends.push(at);
  }
  return [...ends, inner.length].map((end, at) => inner.slice(at === 0 ? 0 : (ends[at - 1] ?? 0) + 1, end).trim());
}

/** A text that is written in quotes as what it is; anything else as it is written. */
function textOf(written: string): string {
  if (!/^"(?:[^"\\]|\\.)*"$/s.test(written)) return written;
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}

/** What a part of a case is called, where its name alone does not say. */
function nameOf(name: string): Markup {
  const phrase = names[name];
  return phrase ? said(phrase.en, phrase['pt-BR']) : markup`<code>${name}</code>`;
}

const names: Readonly<Record<string, Phrase>> = {
  acknowledged: { en: 'then acknowledged with', 'pt-BR': 'depois reconhecida com' },
  answer: { en: 'answered with', 'pt-BR': 'respondida com' },
  call: { en: 'request', 'pt-BR': 'requisição' },
  chosen: { en: 'request', 'pt-BR': 'requisição' },
  changed: { en: 'changed to', 'pt-BR': 'trocada por' },
  cut: { en: 'far off by a power of two', 'pt-BR': 'longe por uma potência de dois' },
  far: { en: 'far off', 'pt-BR': 'longe' },
  fault: { en: 'fault', 'pt-BR': 'defeito' },
  flaw: { en: 'fault', 'pt-BR': 'defeito' },
  headerOrder: { en: 'order of the headers', 'pt-BR': 'ordem dos headers' },
  losers: { en: 'faults that come later', 'pt-BR': 'defeitos que vêm depois' },
  name: { en: 'endpoint', 'pt-BR': 'endpoint' },
  near: { en: 'just beyond', 'pt-BR': 'logo além' },
  other: { en: 'another', 'pt-BR': 'outro' },
  outcome: { en: 'outcome', 'pt-BR': 'resultado' },
  pair: { en: 'the two faults', 'pt-BR': 'os dois defeitos' },
  place: { en: 'requests', 'pt-BR': 'requisições' },
  probe: { en: 'request to a current path', 'pt-BR': 'requisição a um caminho atual' },
  query: { en: 'query string', 'pt-BR': 'query string' },
  recipe: { en: 'sign', 'pt-BR': 'assinatura' },
  record: { en: 'on the tax authority’s record', 'pt-BR': 'no registro da autoridade fiscal' },
  refusal: { en: 'refusal', 'pt-BR': 'recusa' },
  refusals: { en: 'failed attempts', 'pt-BR': 'tentativas que falham' },
  replacement: { en: 'replaced by', 'pt-BR': 'substituído por' },
  retired: { en: 'retired path', 'pt-BR': 'caminho desativado' },
  token: { en: 'token', 'pt-BR': 'token' },
  value: { en: 'value', 'pt-BR': 'valor' },
  winners: { en: 'faults that come first', 'pt-BR': 'defeitos que vêm primeiro' },
  words: { en: 'text', 'pt-BR': 'texto' },
};
