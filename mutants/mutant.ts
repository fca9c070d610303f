import type { ClauseId } from '../contract/catalogue.ts';
import type { EndpointName } from '../contract/endpoints.ts';
import type { SignatureHeader } from '../contract/request.ts';
import { type StagedRules, stagesOf } from '../simulator/gateway/gateway.ts';
import type { Context, Stage } from '../simulator/gateway/stages.ts';
import { parseJsonObject } from '../simulator/http/json.ts';
import type { Reply } from '../simulator/http/reply.ts';
import type { RequestFacts } from '../simulator/http/request-facts.ts';
import type { Outgoing } from '../simulator/model.ts';
import { findRoute } from '../simulator/rules/route.ts';
import { referenceRules, type Rules } from '../simulator/rules/rules.ts';

/** A simulator that is wrong on purpose, to prove that the suite notices. */
export interface Mutant {
  /** `<topic>.<what is wrong>`. */
  readonly id: string;
  /** The clauses that it breaks: a check of each must fail. */
  readonly breaks: readonly ClauseId[];
  readonly rules: StagedRules;
  /** Cases that its checks try at first, where they are to be fewer than usual: an example shows what is wrong. */
  readonly cases?: number;
}

type Topics = Exclude<keyof Rules, 'stages'>;

/** The reference with some rules of one topic replaced. */
export function mutant<Topic extends Topics>(
  id: string,
  breaks: readonly ClauseId[],
  topic: Topic,
  change: Partial<Rules[Topic]>,
): Mutant {
  return { id, breaks, rules: withRules(topic, change) };
}

/** What a request may be like, by name, that no rule of the gateway asks for. */
export const guises: readonly (readonly [what: string, isSo: (request: RequestFacts) => boolean])[] = [
  ['with-a-query', ({ query }) => query !== undefined],
  ['in-chunks', ({ headers }) => headers['transfer-encoding'] !== undefined],
];

/** What answers in place of a stage. */
export type StageChange = (request: RequestFacts, context: Context, original: Stage) => ReturnType<Stage['answer']>;

/** The reference with one stage of the gateway replaced; the new one may ask the old one. */
export function stageMutant(id: string, breaks: readonly ClauseId[], stageName: string, answer: StageChange): Mutant {
  return { id, breaks, rules: behindStages(referenceRules, answer, stageName) };
}

/** Breaks on what is not ASCII in a header, as a comparison of bytes does, or a number that letters of other scripts are taken for. */
export function beyondAsciiAs500(header: SignatureHeader, clause: ClauseId): Mutant {
  const stageName = header === 'sign' ? 'signature' : header;
  return stageMutant(`${stageName}.beyond-ascii-as-500`, [clause], stageName, (request, context, original) =>
    /^[\x20-\x7e]*$/.test(context.sent[header])
      ? original.answer(request, context)
      : { status: 500, body: 'TypeError' },
  );
}

/** Changes what an endpoint answers, or what it is asked. */
export type EndpointChange = (
  request: RequestFacts,
  context: Context,
  answer: (request: RequestFacts, context: Context) => Promise<Reply>,
) => Reply | Promise<Reply>;

/** The reference with one endpoint behind something that changes its requests or replies. */
export function endpointMutant(
  id: string,
  breaks: readonly ClauseId[],
  name: EndpointName,
  change: EndpointChange,
): Mutant {
  return stageMutant(id, breaks, 'endpoint', atEndpoint(name, change));
}

/** A change of the endpoint stage for the requests of one endpoint. */
export function atEndpoint(name: EndpointName, change: EndpointChange): StageChange {
  return (request, context, original) => {
    if (findRoute(request.method, request.path)?.endpoint.name !== name) return original.answer(request, context);
    return change(request, context, async (asked, by) => {
      const reply = await original.answer(asked, by);
      if (!reply) throw new Error('the endpoint passed its request on');
      return reply;
    });
  };
}

/** The reference with the successful replies of one endpoint changed. */
export function replyMutant(
  id: string,
  breaks: readonly ClauseId[],
  name: EndpointName,
  change: (reply: Reply) => Reply,
): Mutant {
  return endpointMutant(id, breaks, name, async (request, context, answer) => {
    const reply = await answer(request, context);
    return reply.status === 200 ? change(reply) : reply;
  });
}

/** Makes mutants with rules of one topic replaced; their ids begin with `prefix`. */
export function ruleMutants<Topic extends Topics>(prefix: string, topic: Topic) {
  return (what: string, breaks: readonly ClauseId[], change: Partial<Rules[Topic]>): Mutant =>
    mutant(`${prefix}.${what}`, breaks, topic, change);
}

/** Makes mutants with one stage of the gateway replaced; their ids begin with `prefix`. */
export function stageMutants(prefix: string, stageName: string) {
  return (what: string, breaks: readonly ClauseId[], answer: StageChange): Mutant =>
    stageMutant(`${prefix}.${what}`, breaks, stageName, answer);
}

/** Makes mutants of one endpoint; their ids begin with its name. */
export function endpointMutants(name: EndpointName) {
  return {
    /** Something stands between the request and the endpoint. */
    changed: (what: string, breaks: readonly ClauseId[], change: EndpointChange): Mutant =>
      endpointMutant(`${name}.${what}`, breaks, name, change),
    /** Its successful replies are changed. */
    replied: (what: string, breaks: readonly ClauseId[], change: (reply: Reply) => Reply): Mutant =>
      replyMutant(`${name}.${what}`, breaks, name, change),
    /** All of its replies are changed. */
    answered: (
      what: string,
      breaks: readonly ClauseId[],
      change: (reply: Reply, request: RequestFacts) => Reply,
    ): Mutant =>
      endpointMutant(`${name}.${what}`, breaks, name, async (request, context, answer) =>
        change(await answer(request, context), request),
      ),
  };
}

/** The mutant with rules of one more topic replaced. */
export function also<Topic extends Topics>(mutant: Mutant, topic: Topic, change: Partial<Rules[Topic]>): Mutant {
  const { rules } = mutant;
  return { ...mutant, rules: { ...rules, [topic]: { ...rules[topic], ...change } } };
}

/** The reference, which notes the applications that it meets disabled: for what is wrong with them from then on. */
export function notingDisabled(
  id: string,
  breaks: readonly ClauseId[],
): { readonly noting: Mutant; readonly wasDisabled: (appKey: string) => boolean } {
  const disabled = new Set<string>();
  const noting = stageMutant(id, breaks, 'application', (request, context, original) => {
    if (context.application?.state === 'disabled') disabled.add(context.application.appKey);
    return original.answer(request, context);
  });
  return { noting, wasDisabled: (appKey) => disabled.has(appKey) };
}

/** The reference with some rules of one topic replaced for the requests that are so. */
export function mutantWhere<Topic extends Topics>(
  id: string,
  breaks: readonly ClauseId[],
  topic: Topic,
  isSo: (request: RequestFacts) => boolean,
  change: Partial<Rules[Topic]>,
): Mutant {
  const rules = behindStages(referenceRules, (request, context, original) => {
    if (!isSo(request)) return original.answer(request, context);
    const changed = { ...context.rules, [topic]: { ...context.rules[topic], ...change } };
    return original.answer(request, { ...context, rules: changed });
  });
  return { id, breaks, rules };
}

/** An endpoint that reads another request than was sent. */
export function reading(change: (request: RequestFacts) => RequestFacts): EndpointChange {
  return (request, context, answer) => answer(change(request), context);
}

/** Answers as it did before under the same name, where that is of a status that is kept. */
export function remembering(
  nameOf: (request: RequestFacts, context: Context) => string,
  keptStatus = 200,
): EndpointChange {
  const kept = new Map<string, Reply>();
  return async (request, context, answer) => {
    const name = nameOf(request, context);
    const reply = kept.get(name) ?? (await answer(request, context));
    if (reply.status === keptStatus) kept.set(name, reply);
    return reply;
  };
}

/** Deliveries whose body is another text than it would be. */
export function rewriting(
  change: (right: string, outgoing: Outgoing) => string,
): Pick<Rules['webhookDelivery'], 'body'> {
  const { body } = referenceRules.webhookDelivery;
  return { body: (outgoing) => Buffer.from(change(body(outgoing).toString('utf8'), outgoing)) };
}

/** Remembers what came first under each name, and gives that. */
export function firstOf<Value>(): (name: string, value: Value) => Value {
  const first = new Map<string, Value>();
  return (name, value) => {
    const known = first.get(name) ?? value;
    first.set(name, known);
    return known;
  };
}

/** Counts how often each name came before. */
export function counter(): (name: string) => number {
  const times = new Map<string, number>();
  return (name) => {
    const before = times.get(name) ?? 0;
    times.set(name, before + 1);
    return before;
  };
}

/** The `id` of the invoice that is to be issued. */
export function idIn({ rawBody }: RequestFacts): string {
  return String(parseJsonObject(rawBody)?.['id']);
}

/** An endpoint that is not ready for what it has not seen before. */
export function refusedTheFirstTime(name: EndpointName, clause: ClauseId): Mutant {
  const seen = new Set<string>();
  return endpointMutant(`${name}.refused-the-first-time`, [clause], name, (request, context, answer) => {
    const asked = `${context.sent.token} ${request.path} ${request.rawBody.toString('latin1')}`;
    if (seen.has(asked)) return answer(request, context);
    seen.add(asked);
    return { status: 400, body: [{ codigo: 'TENTE-DE-NOVO', mensagem: 'Tente de novo' }] };
  });
}

/** A reply in a platform envelope. */
export function wrapped(reply: Reply): Reply {
  return { ...reply, body: { success: true, code: 0, message: 'OK', data: reply.body ?? null } };
}

/** A reply with members of its JSON object replaced. */
export function withMembers(reply: Reply, members: object): Reply {
  return { ...reply, body: { ...Object(reply.body), ...members } };
}

/** The states in an endpoint's answers are called by other words, where the request asks for English. */
export function statesInEnglish(name: EndpointName, clause: ClauseId, words: Readonly<Record<string, string>>): Mutant {
  return endpointMutant(`${name}.status-in-english`, [clause], name, async (request, context, answer) => {
    const reply = await answer(request, context);
    if (reply.status !== 200 || context.rules.language.choose(request.headers) !== 'en') return reply;
    const inEnglish = (_: string, value: unknown): unknown =>
      typeof value === 'string' ? (words[value] ?? value) : value;
    return { ...reply, body: JSON.parse(JSON.stringify(reply.body), inEnglish) };
  });
}

/** A request with members of its JSON object replaced. */
export function asking(request: RequestFacts, members: object): RequestFacts {
  const body: unknown = JSON.parse(request.rawBody.toString('utf8'));
  return { ...request, rawBody: Buffer.from(JSON.stringify({ ...Object(body), ...members })) };
}

/** Takes a right `sign`, and also one that is made by rules with some replaced: what a lenient server does. */
export function lenientMutant(id: string, breaks: readonly ClauseId[], change: Partial<Rules['signature']>): Mutant {
  const also = withRules('signature', change);
  return stageMutant(id, breaks, 'signature', async (request, context, original): Promise<Reply | undefined> => {
    const refusal = await original.answer(request, context);
    return refusal && original.answer(request, { ...context, rules: also });
  });
}

function withRules<Topic extends Topics>(topic: Topic, change: Partial<Rules[Topic]>): Rules {
  return { ...referenceRules, [topic]: { ...referenceRules[topic], ...change } };
}

/** The rules with these stages in place of all that they have. */
export function withStages(rules: StagedRules, stages: readonly Stage[]): StagedRules {
  return {
    ...rules,
    stages: stages.map(({ name }) => name),
    otherStages: Object.fromEntries(stages.map((stage) => [stage.name, stage])),
  };
}

/** The rules with something in front of each stage, or of one of them; it may ask that stage. */
export function behindStages(rules: StagedRules, answer: StageChange, stageName?: string): StagedRules {
  const stages = stagesOf(rules).map((original): Stage => {
    if (stageName !== undefined && original.name !== stageName) return original;
    return { name: original.name, answer: (request, context) => answer(request, context, original) };
  });
  return withStages(rules, stages);
}

/** The reference with some stages of the gateway moved to stand before another. */
function withStagesMoved(stageNames: readonly string[], before: string): Rules {
  const isMoved = (name: string): boolean => stageNames.includes(name);
  const ahead = referenceRules.stages.filter(isMoved);
  const stages = referenceRules.stages
    .filter((name) => !isMoved(name))
    .flatMap((name) => (name === before ? [...ahead, name] : [name]));
  return { ...referenceRules, stages };
}

/** A mutant whose gateway has some stages in another place. */
export function moved(id: string, breaks: readonly ClauseId[], stageNames: readonly string[], before: string): Mutant {
  return { id, breaks, rules: withStagesMoved(stageNames, before) };
}
