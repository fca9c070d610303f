import * as control from '../schemas/control.ts';
import { endpoints, retiredEndpoints } from '../contract/endpoints.ts';
import { usualHeaders } from './people/headers.ts';
import { knownWords } from './people/words.ts';
import { catalogue } from '../contract/catalogue.ts';
import { codes } from '../contract/values.ts';
import { results } from '../schemas/results.ts';
import { traceLine } from '../schemas/trace-line.ts';
import type { Mask } from './people/words-mask.ts';
import { secretMatcher, soughtOf } from './secrets/matcher.ts';
import { isReceived } from './links.ts';
import { contractSentences } from '../contract/sentences.ts';

/** Names of members that answers have beside those of the contract. */
const usualMembers =
  'requestId request_id correlationId traceId serverTime timestamp statusCode errorCode sessionId jsessionid phpsessid serverid'.split(
    ' ',
  );

const ofContract = [
  ...catalogue.map(({ id, statement }) => `${id} ${statement}`),
  ...contractSentences.map(({ sentence }) => sentence),
  ...[...endpoints, ...retiredEndpoints].map(({ path }) => path),
  ...Object.values(codes).map(({ code, meaning }) => `${code} ${meaning}`),
  // What any server says is no sign of a secret that has the same word in it. One in a line: no part reaches over two.
  ...knownWords,
  ...usualHeaders,
  ...usualMembers,
].join('\n');

/** What the contract says, and these texts that are no secret either: a part of a secret that they hold is no sign of it. */
export function commonTexts(others: readonly (string | undefined)[] = []): readonly string[] {
  return [ofContract, ...others.filter((text) => text !== undefined)];
}

/** The names of members in a schema, and the texts that it knows as values. */
function namesIn(schema: unknown): readonly string[] {
  if (typeof schema === 'string') return [schema];
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}

/** What the contract, any server and our own files say, in small letters. */
const commonText = [
  ofContract,
  ...namesIn([traceLine, results, control]),
  ...control.controlAnswers.map(({ path }) => path.source),
]
  .join('\n')
  .toLowerCase();

/**
 * Whether a text stands in what the contract, any server or our own files say. As a segment of a link it lets nobody in: hidden
 * wherever it stands, `consulta` would leave no path below `consultas`, and `application` no trace that can be read again.
 */
export function isCommon(text: string): boolean {
  return commonText.includes(text.toLowerCase());
}

/** A mask for the given secrets, each with the text that takes its place. Words that anybody says are no part of a secret. */
export function maskFor(secrets: ReadonlyMap<string, string>): Mask {
  return secretMatcher(soughtOf(secrets, isReceived), { common: commonTexts() }).hide;
}
