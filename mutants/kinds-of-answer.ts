import type { ClauseId } from '../contract/catalogue.ts';
import type { CodeName, Language } from '../contract/values.ts';
import type { EndpointName } from '../contract/endpoints.ts';
import { member } from '../schemas/values.ts';
import type { Reply } from '../simulator/http/reply.ts';
import { type Channel, channels } from '../simulator/model.ts';
import { languageRules } from '../simulator/rules/language.ts';
import { referenceRules } from '../simulator/rules/rules.ts';
import {
  also,
  firstOf,
  ruleMutants,
  type EndpointChange,
  endpointMutant,
  mutant,
  type Mutant,
  replyMutant,
  withMembers,
} from './mutant.ts';

const ruled = ruleMutants('language', 'language');

/** Envelopes that do not say whether it was a success. */
const wrappings: Readonly<Record<string, (data: unknown) => object>> = {
  'in-code-message-data': (data) => ({ code: 0, message: 'OK', data: data ?? null }),
  'in-text-code-message-data': (data) => ({ code: '200', message: 'success', data: data ?? {} }),
  'in-code-data': (data) => ({ code: 0, data: data ?? {} }),
};

const bareOf = [
  ['certificado-association', 'certificado-association.bare'],
  ['webhook-registration', 'webhook-url.registration-bare'],
  ['cnpj-lookup', 'cnpj-lookup.bare-object'],
  ['cpf-lookup', 'cpf-lookup.bare-object'],
] as const;

const wrapped: readonly Mutant[] = bareOf.flatMap(([name, clause]) =>
  Object.entries(wrappings).map(([what, wrap]) =>
    replyMutant(`${clause.split('.')[0]}.${what}`, [clause], name, (reply) => ({ ...reply, body: wrap(reply.body) })),
  ),
);

/** What endpoints answer is another for who asks for Spanish: what they say of a success, or of their errors. */
const inSpanish = (
  what: string,
  isSo: (reply: Reply) => boolean,
  wrap: (body: unknown) => object,
  ...rows: readonly (readonly [name: EndpointName, clause: ClauseId])[]
): readonly Mutant[] =>
  rows.map(([name, clause]) =>
    endpointMutant(`${name}.${what}-in-spanish`, [clause], name, async (request, context, answer) => {
      const reply = await answer(request, context);
      const isWrong = isSo(reply) && languageRules.choose(request.headers) === 'es';
      return isWrong ? { ...reply, body: wrap(reply.body) } : reply;
    }),
  );

const wrongInSpanish: readonly Mutant[] = [
  ...inSpanish(
    'in-envelope',
    ({ status }) => status === 200,
    (data) => ({ success: true, message: 'OK', data }),
    ['cnpj-lookup', 'cnpj-lookup.bare-object'],
    ['cpf-lookup', 'cpf-lookup.bare-object'],
    ['chave-lookup', 'chave-lookup.bare'],
    ['nfe-query', 'nfe-query.bare-object'],
  ),
  ...inSpanish(
    'error-object',
    ({ body }) => Array.isArray(body),
    (errores) => ({ errores }),
    ['nfe-issuance', 'nfe-issuance.error-array'],
    ['nfe-query', 'nfe-query.unknown-id'],
    ['nfe-cancellation', 'nfe-cancellation.unknown-id'],
  ),
  ...inSpanish(
    'message-lost',
    ({ body }) => /MALFORMED|CORPO/.test(JSON.stringify(body)),
    (body) => (Array.isArray(body) ? [{ codigo: 'X' }] : { code: member(body, 'code') }),
    ['chave-lookup', 'chave-lookup.malformed'],
    ['cnpj-lookup', 'cnpj-lookup.malformed'],
    ['cpf-lookup', 'cpf-lookup.malformed'],
    ['nfe-verification', 'nfe-verification.malformed-refused'],
    ['nfe-issuance', 'nfe-issuance.malformed-json'],
  ),
];

/** The first found answers everybody who asks for something that is known, or for anything. */
function firstForAll({ isForUnknown = false } = {}): EndpointChange {
  let first: Reply | undefined;
  return async (request, context, answer) => {
    const reply = await answer(request, context);
    if (reply.status === 200) first ??= reply;
    return reply.status === 200 || isForUnknown ? (first ?? reply) : reply;
  };
}

/** Without the number that was asked for. */
function withoutNumber(change: EndpointChange, ...names: readonly string[]): EndpointChange {
  return async (request, context, answer) =>
    withMembers(await change(request, context, answer), Object.fromEntries(names.map((name) => [name, undefined])));
}
const ofLookups = [
  ['cnpj-lookup', ['cnpj-lookup.bare-object'], ['cnpj-lookup.unknown']],
  ['cpf-lookup', ['cpf-lookup.bare-object'], ['cpf-lookup.unknown']],
  ['chave-lookup', ['chave-lookup.shape-of-verification', 'chave-lookup.reads-latest-verdict'], []],
] as const satisfies readonly (readonly [EndpointName, Mutant['breaks'], Mutant['breaks']])[];

const lookups: readonly Mutant[] = ofLookups.flatMap(([name, ofKnown, ofUnknown]) => [
  endpointMutant(`${name}.first-for-all`, ofKnown, name, firstForAll()),
  endpointMutant(`${name}.first-for-all-unnamed`, ofKnown, name, withoutNumber(firstForAll(), 'cnpj', 'cpf')),
  ...(ofUnknown.length > 0
    ? [endpointMutant(`${name}.first-for-the-unknown`, ofUnknown, name, firstForAll({ isForUnknown: true }))]
    : []),
]);

/** Every nth query of an invoice in one state tells another. */
function nowAndThen(what: string, from: string, to: string, every: number): Mutant {
  let count = 0;
  return replyMutant(`nfe-query.${what}`, ['nfe-query.follows-the-life-cycle'], 'nfe-query', (reply) => {
    if (member(reply.body, 'status') !== from) return reply;
    count += 1;
    return count % every === 0 ? withMembers(reply, { status: to }) : reply;
  });
}
/** What an invoice in one state is told to be an hour after that was told first, or where `to` is missing that it is unknown then. */
function anHourLater(what: string, from: string, to?: string): Mutant {
  const since = firstOf<number>();
  const clauses = [to ? 'nfe-query.follows-the-life-cycle' : 'nfe-query.found-by-id'] as const;
  return endpointMutant(`nfe-query.${what}`, clauses, 'nfe-query', async (request, context, answer) => {
    const reply = await answer(request, context);
    if (member(reply.body, 'status') !== from) return reply;
    if (context.nowMs - since(request.path, context.nowMs) < 3_600_000) return reply;
    const gone = { status: 404, body: [{ codigo: 'ARQUIVADA', mensagem: 'não encontrada' }] };
    return to ? withMembers(reply, { status: to, linkDanfe: '' }) : gone;
  });
}
const later: readonly Mutant[] = [
  anHourLater('cancelled-denied-an-hour-later', 'Cancelada', 'Negada'),
  anHourLater('denied-waiting-an-hour-later', 'Negada', 'AguardandoAutorizacao'),
  anHourLater('denied-unknown-an-hour-later', 'Negada'),
  anHourLater('authorised-unknown-an-hour-later', 'Autorizada'),
];

const chance: readonly Mutant[] = [
  nowAndThen('cancelled-authorised-again', 'Cancelada', 'Autorizada', 5),
  nowAndThen('cancelled-waiting-again', 'Cancelada', 'AguardandoAutorizacao', 10),
  nowAndThen('authorised-waiting-again', 'Autorizada', 'AguardandoAutorizacao', 20),
  nowAndThen('denied-authorised', 'Negada', 'Autorizada', 10),
  nowAndThen('denied-waiting-again', 'Negada', 'AguardandoAutorizacao', 10),
  nowAndThen('authorised-cancelled', 'Autorizada', 'Cancelada', 20),
];

/** What says that something comes on a channel. */
const promised = {
  issuance: 'issuance-callback.called-back-when-authorised',
  verification: 'verdict-event.sent-when-settled',
} as const satisfies Record<Channel, ClauseId>;

/** What an application registered before a rotation is called no more after it. */
function forgetting(channel: Channel, breaks: Mutant['breaks']): Mutant {
  const fresh = new Set<string>();
  const rotated = new Set<string>();
  const lastForgotten = new Map<string, number>();
  const { token } = referenceRules;
  const delivery = mutant(`webhook-signature.${channel}-address-forgotten-after-rotation`, breaks, 'webhookDelivery', {
    receivers(targets) {
      const { appKey = '', channel: own } = targets[0] ?? {};
      if (own !== channel) return targets;
      if (rotated.delete(appKey)) lastForgotten.set(appKey, Math.max(...targets.map(({ id }) => id)));
      return targets.filter(({ id }) => id > (lastForgotten.get(appKey) ?? -1));
    },
  });
  return also(delivery, 'token', {
    secretsAfterRotation(old, secret) {
      fresh.add(secret);
      return token.secretsAfterRotation(old, secret);
    },
    find(applications, secret) {
      const application = token.find(applications, secret);
      if (application && fresh.delete(secret)) rotated.add(application.appKey);
      return application;
    },
  });
}

/** Addresses of one channel that are of some kind are never called. */
function uncalled(what: string, channel: Channel, isSo: (url: URL) => boolean): Mutant {
  return mutant(`webhook-url.${what}-never-called-on-${channel}`, ['webhook-url.called-exactly'], 'webhookDelivery', {
    receivers: (targets) => targets.filter((target) => target.channel !== channel || !isSo(new URL(target.url))),
  });
}

const addresses: readonly Mutant[] = [
  ...channels.flatMap((channel) => [
    forgetting(channel, [promised[channel]]),
    uncalled('queried-address', channel, ({ search }) => search !== ''),
    uncalled('long-address', channel, ({ href }) => href.length > 200),
  ]),
  uncalled('pathless-address', 'issuance', ({ pathname }) => pathname === '/'),
];

const { text, retiredText, choose } = languageRules;

type Told = CodeName | 'success';

const exchanged =
  (one: Language, other: Language) =>
  (language: Language): Language =>
    language === one ? other : language === other ? one : language;

/** Some messages are in another language than the one that was asked for. */
function told(
  what: string,
  breaks: Mutant['breaks'],
  names: readonly Told[],
  change: (one: Language) => Language,
): Mutant {
  return ruled(what, breaks, {
    text: (name, language) => text(name, names.includes(name) ? change(language) : language),
    retiredText: (replacement, language) =>
      retiredText(replacement, names.includes('retired') ? change(language) : language),
  });
}

const headers = ['language.language-header', 'language.accept-language-header'] as const;
const groups: readonly (readonly [what: string, Mutant['breaks'], readonly Told[]])[] = [
  ...(['headersMissing', 'timestampInvalid', 'tokenInvalid', 'signMismatch', 'retired'] as const).map(
    (name) => [name, headers, [name]] as const,
  ),
  ...(['applicationDisabled', 'applicationNotEffective', 'integratorDisabled', 'notSubscribed'] as const).map(
    (name) => [name, ['language.on-403'], [name]] as const,
  ),
  ['rateLimited', ['language.on-429'], ['rateLimited']],
  ['success', ['language.on-echo'], ['success']],
];

const inOthers: readonly Mutant[] = groups.flatMap(([what, breaks, names]) => [
  told(
    `pt-and-es-exchanged-${what}`,
    breaks === headers ? [...headers, 'language.portuguese-by-default'] : breaks,
    names,
    exchanged('pt', 'es'),
  ),
  told(`en-and-zh-exchanged-${what}`, breaks, names, exchanged('en', 'zh')),
  told(`english-always-${what}`, breaks, names, () => 'en'),
]);

const chosenWrongly: readonly Mutant[] = [
  ruled('pt-and-es-exchanged', [...headers, 'language.portuguese-by-default'], {
    choose: (sent) => exchanged('pt', 'es')(choose(sent)),
  }),
  ruled('pt-and-es-exchanged-by-accept-language', ['language.accept-language-header'], {
    choose: (sent) => (sent['accept-language'] ? exchanged('pt', 'es')(choose(sent)) : choose(sent)),
  }),
];

/** Wrong answers that only several answers together tell, or only their words. */
export const kindsOfAnswerMutants: readonly Mutant[] = [
  ...wrongInSpanish,
  ...wrapped,
  ...lookups,
  ...chance,
  ...later,
  ...addresses,
  ...inOthers,
  ...chosenWrongly,
];
