import { codes, type CodeName, languages } from '../../contract/values.ts';
import { member } from '../../schemas/values.ts';
import type { Reply } from '../../simulator/http/reply.ts';
import { refuse } from '../../simulator/rules/envelope.ts';
import type { AnswerMatch, Breach, DeliveryChange, TopicName, WireAnswer } from './breach.ts';

/** How an answer is spoilt. */
export type AnswerChange = (answer: WireAnswer) => Reply | undefined | Promise<Reply | undefined>;

/** A breach of answers. */
export function answering(
  id: string,
  breaks: Breach['breaks'],
  match: AnswerMatch,
  change: AnswerChange,
  met: readonly TopicName[] = [],
): Breach {
  return { kind: 'answer', id, breaks, match, change, met };
}

/** Makes breaches of such answers; their ids begin with `prefix`, and `met` are further topics whose checks get them. */
export function spoilingAnswers(prefix: string, match: AnswerMatch) {
  return (what: string, breaks: Breach['breaks'], change: AnswerChange, ...met: readonly TopicName[]): Breach =>
    answering(`${prefix}.${what}`, breaks, match, change, met);
}

/** That value, whatever was there. */
export const always =
  <Value>(value: Value) =>
  (): Value =>
    value;

/** Another body, or none. */
export function withBody(body: (body: unknown, answer: WireAnswer) => unknown): AnswerChange {
  return (answer) => ({ ...answer.reply, body: body(answer.reply.body, answer) });
}

/** Another value at a place of the JSON body, by the names that lead there; `undefined` takes the member away. */
export function withMember(path: string, value: (was: unknown, answer: WireAnswer) => unknown): AnswerChange {
  return withBody((body, answer) => replaced(body, path.split('.'), (was) => value(was, answer)));
}

/** Other values of members of the JSON body. */
export function withMembers(members: (answer: WireAnswer) => object): AnswerChange {
  return withBody((body, answer) => ({ ...(typeof body === 'object' ? body : {}), ...members(answer) }));
}

/** Another status. */
export function withStatus(status: number): AnswerChange {
  return ({ reply }) => ({ ...reply, status });
}

/** A platform envelope around the body. */
export const enveloped: AnswerChange = withBody((data = null) => ({ success: true, code: 0, message: 'OK', data }));

/** A refusal with that code, whatever was asked. */
export function refusedWith(name: CodeName): AnswerChange {
  return ({ request, context }) => refuse(name, request, context.rules);
}

/** The code of another refusal, in the same envelope. */
export function withCodeOf(name: CodeName): AnswerChange {
  return withMember('code', () => codes[name].code);
}

/** Accepted with these bytes in place of a refusal. */
export function accepted(body?: unknown): AnswerChange {
  return () => ({ status: 200, ...(body === undefined ? {} : { body }) });
}

/** What comes of leaving out stages, where that is no refusal of the same status. */
export function skipping(...stages: readonly string[]): AnswerChange {
  return async ({ reply, without }) => {
    const other = await without(...stages);
    return other?.status === reply.status ? undefined : other;
  };
}

/** The message of a refusal in a language that was not asked for. */
export const inOtherLanguage: AnswerChange = (answer) => {
  const { choose, text } = answer.context.rules.language;
  const wished = choose(answer.request.headers);
  const other = languages.find((language) => language !== wished) ?? wished;
  const name = codeNames.find((each) => codes[each].code === member(answer.reply.body, 'code'));
  return name && withMember('message', () => text(name, other))(answer);
};

const codeNames: readonly CodeName[] = ['headersMissing', 'timestampInvalid', 'tokenInvalid', 'signMismatch'];

/** An echo that is served to whoever asked. */
export const servedEcho: AnswerChange = ({ request }) => {
  const data = { echo: messageOf(request.rawBody), appKey: 'a', appName: 'b', serverTime: new Date().toISOString() };
  return { status: 200, body: { success: true, message: 'OK', data } };
};

function messageOf(rawBody: Buffer): unknown {
  try {
    return member(JSON.parse(rawBody.toString('utf8')), 'message');
  } catch {
    return '';
  }
}

/** A delivery with another value at a place of its body, signed as it then stands. */
export function delivering(path: string, value: (was: unknown) => unknown): DeliveryChange {
  return { body: (json) => replaced(json, path.split('.'), value) };
}

/** A delivery with one header changed, found by the end of its name; `undefined` takes it away. */
export function withHeader(
  ending: string,
  value: (was: string, ...rest: Parameters<NonNullable<DeliveryChange['request']>>) => string | undefined,
): DeliveryChange {
  return {
    request(request, delivery) {
      const isMeant = (name: string): boolean => name.toLowerCase().endsWith(ending);
      const headers = Object.entries(request.headers).flatMap(([name, was]) => {
        const now = isMeant(name) ? value(was, request, delivery) : was;
        return now === undefined ? [] : [[name, now] as const];
      });
      return { ...request, headers: Object.fromEntries(headers) };
    },
  };
}

function replaced(body: unknown, [name = '', ...rest]: readonly string[], value: (was: unknown) => unknown): unknown {
  const was = member(body, name);
  const now = rest.length === 0 ? value(was) : replaced(was, rest, value);
  return { ...(typeof body === 'object' ? body : {}), [name]: now };
}
