import type { ExchangeEvidence } from '../../schemas/results.ts';
import type { BodyEvidence } from '../../schemas/evidence.ts';
import type { Piece, Signing } from '../../schemas/evidence.ts';
import { digestCode, formCode, literal, pieceCode } from './code.ts';
import { dueOf } from './due.ts';
import { controlHead, maskedHead, scriptHead, scriptTail } from './frame.ts';
import { hiddenNames, maskedData, needsSecret, ownSecrets, sentDigest, usesOf, variableOf } from './names.ts';
import { maskedMeaning, scriptNotes } from './notes.ts';
import type { ScriptFacts } from './script-facts.ts';

/**
 * A script for Node 18 or later, to be saved as `repeat.mjs`, that signs a request anew, its flaws kept, sends it, prints the
 * answer and says whether it is the one that is due: it ends with 1 where it is not, with 0 where it is, with 2 where that could
 * not be tried, or only the suite can tell. It takes secrets from the environment; what is masked without being a secret it sends as masked, and says so,
 * where the environment has no value for it. `undefined` where the evidence is not enough: for a delivery, for a link
 * that was followed, for a body that was cut, and in results of before there was `signing`.
 */
export function repeatScript(exchange: ExchangeEvidence, facts: ScriptFacts): string | undefined {
  const { request, signing, received } = exchange;
  if (!signing || received || request.body?.cut) return undefined;
  const texts = textsOf(signing);
  const isMasked = maskedData(signing).length > 0;
  return [
    ...scriptNotes(exchange, signing, facts),
    scriptHead,
    ...(isMasked ? [maskedHead] : []),
    ...(isOfOwn(request, signing) ? [controlHead] : []),
    '',
    `const address = addressOf(process.env.NFE_BASE_URL || ${literal(facts.baseUrl)});`,
    ...texts.lines,
    `const method = ${literal(request.method)};`,
    `const target = ${texts.code(request.target)};`,
    `const body = ${bodyCode(request.body, texts.code)};`,
    `const expected = ${facts.expected === undefined ? 'undefined' : literal(facts.expected)};`,
    `const due = ${literalOf(dueOf(facts.expected))};`,
    `const wholeCheck = ${literal(facts.replay ?? `npm test -- --clause ${facts.clause}`)};`,
    '',
    ...signingLines(exchange, signing, texts.code),
    ...(isMasked ? [`tellOfMasked([${maskedMeaning(signing).map(literal).join(', ')}]);`] : []),
    '',
    scriptTail,
  ].join('\n');
}

/** An expression for a text in which names of the mask may stand, and the lines that it needs. */
interface Texts {
  readonly lines: string[];
  readonly code: (text: string) => string;
}

function textsOf(signing: Signing): Texts {
  const secrets = hiddenNames(signing).map((name) => [name, `fromEnvironment(${literal(variableOf(name))})`] as const);
  const data = maskedData(signing).map((name) => [name, `dataFromEnvironment(${literal(name.slice(1))})`] as const);
  // The longest first: `$nomeMae` is no `$nome` that more stands behind.
  const hidden = [...secrets, ...data].sort(([a], [b]) => b.length - a.length);
  if (hidden.length === 0) return { lines: [], code: literal };
  const pattern = hidden.map(([name]) => name.replace('$', '\\$')).join('|');
  return {
    lines: [
      `const hidden = new Map([${hidden.map(([name, value]) => `[${literal(name)}, ${value}]`).join(', ')}]);`,
      `const filled = (text) => text.replace(/${pattern}/g, (name) => hidden.get(name));`,
    ],
    code: (text) => (hidden.some(([name]) => text.includes(name)) ? `filled(${literal(text)})` : literal(text)),
  };
}

function bodyCode(body: BodyEvidence | undefined, code: Texts['code']): string {
  if (!body) return 'Buffer.alloc(0)';
  if (body.encoding === 'utf-8') return `Buffer.from(${code(body.text)}, 'utf8')`;
  const text = Buffer.from(body.text, 'base64').toString('latin1');
  return `Buffer.from(${code(text)}, 'latin1')`;
}

/** A value as a literal of JavaScript, as safe as a text. */
function literalOf(value: unknown): string {
  return value === undefined ? 'undefined' : `JSON.parse(${literal(JSON.stringify(value))})`;
}

/** Whether the suite made the caller for itself: then a script makes one like it. */
function isOfOwn(request: ExchangeEvidence['request'], signing: Signing): boolean {
  return needsSecret(request, signing) && ownSecrets.includes(signing.secret);
}

function secretCode(exchange: ExchangeEvidence, signing: Signing): string {
  const given = `fromEnvironment(${literal(variableOf(signing.secret))})`;
  if (!isOfOwn(exchange.request, signing)) return given;
  return `process.env.NFE_APP_SECRET || !process.env.NFE_CONTROL_URL ? ${given} : await madeApplication(${literalOf(exchange.caller?.standing ?? {})})`;
}

/** The lines from the clock to the headers; what the request does not need is left out. */
function signingLines(exchange: ExchangeEvidence, signing: Signing, code: Texts['code']): string[] {
  const { request } = exchange;
  const { token, timestamp, sign } = signing;
  const hashed = sentDigest(request, signing);
  const uses = usesOf(request, signing);
  return [
    'const now = Math.floor(Date.now() / 1000);',
    ...(needsSecret(request, signing) ? [`const secret = ${secretCode(exchange, signing)};`] : []),
    ...(uses('token') ? [`const token = ${formCode(token, 'secret', code)};`] : []),
    `const timestamp = ${joined(timestamp)};`,
    ...(uses('path') ? ["const path = target.split('?')[0];"] : []),
    ...(uses('body') ? ['const bodyWithoutBreaks = body.filter((byte) => byte !== 13 && byte !== 10);'] : []),
    ...(hashed ? hashLines(hashed) : []),
    ...(uses('sign') ? [`const sign = ${formCode(sign, 'digest', literal)};`] : []),
    ...headerLines(request.headers, code),
  ];
}

function joined(pieces: readonly Piece[]): string {
  return pieces.length === 0 ? "''" : pieces.map(pieceCode).join(' + ');
}

function hashLines({ hash, of }: NonNullable<Signing['digest']>): string[] {
  return [
    `const signed = Buffer.concat([${of.map(pieceCode).join(', ')}].map((piece) => Buffer.from(piece)));`,
    `const digest = ${digestCode(hash)};`,
  ];
}

const madeAnew: ReadonlySet<string> = new Set(['token', 'timestamp', 'sign']);

function headerLines(headers: ExchangeEvidence['request']['headers'], code: Texts['code']): string[] {
  const lines = headers.map(([name = '', value = '']) => {
    const own = name.toLowerCase();
    return `  [${literal(name)}, ${madeAnew.has(own) ? own : code(value)}],`;
  });
  return ['const headers = [', ...lines, '];'];
}
