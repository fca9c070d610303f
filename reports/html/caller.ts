import type { CallerEvidence } from '../../schemas/evidence.ts';
import type { Language } from '../language.ts';
import { markup, type Markup } from './markup.ts';
import { saidBy } from './said.ts';

/** Who sent a request, by the condition of the application: "the application that is disabled". */
export function callerLine({ standing, hasOwnClock }: CallerEvidence, secret: string | undefined): Markup {
  return markup`<p class="note caller">${saidBy((language) => {
    const words = callerWords[language];
    const conditions = [...conditionsOf(standing, language), ...(hasOwnClock ? [words.ownClock] : [])];
    const of = conditions.length === 0 ? words.plain : `${words.that} ${conditions.join(words.and)}`;
    return secret === undefined ? of : markup`${of} (<code>${secret}</code>)`;
  })}</p>`;
}

function conditionsOf(standing: CallerEvidence['standing'], language: Language): string[] {
  const words = callerWords[language];
  const { state = 'active', integratorState = 'active', subscriptions = 'all', rateLimit } = standing;
  const scopes =
    subscriptions === 'all'
      ? []
      : [subscriptions.length === 0 ? words.unsubscribed : words.only(subscriptions.join(', '))];
  return [
    ...(state === 'active' ? [] : [words.states[state]]),
    ...(integratorState === 'active' ? [] : [words.integrator]),
    ...scopes,
    ...(rateLimit ? [words.limited(rateLimit.limit, rateLimit.windowSeconds)] : []),
  ];
}

type State = NonNullable<CallerEvidence['standing']['state']>;

interface CallerWords {
  readonly plain: string;
  readonly that: string;
  readonly and: string;
  readonly states: Readonly<Record<Exclude<State, 'active'>, string>>;
  readonly integrator: string;
  readonly unsubscribed: string;
  readonly only: (scopes: string) => string;
  readonly limited: (limit: number, seconds: number) => string;
  readonly ownClock: string;
}

const callerWords: Readonly<Record<Language, CallerWords>> = {
  en: {
    plain: 'Sent by an active application that may call everything',
    that: 'Sent by the application that',
    and: ', and ',
    states: { disabled: 'is disabled', pending: 'awaits approval', rejected: 'was rejected' },
    integrator: 'belongs to a disabled integrator account',
    unsubscribed: 'has no subscription',
    only: (scopes) => `is subscribed to nothing but ${scopes}`,
    limited: (limit, seconds) => `may send ${limit} requests in ${seconds} s`,
    ownClock: 'has a clock of its own',
  },
  'pt-BR': {
    plain: 'Enviada por uma aplicação ativa que pode chamar tudo',
    that: 'Enviada pela aplicação que',
    and: ' e que ',
    states: { disabled: 'está desabilitada', pending: 'aguarda aprovação', rejected: 'foi recusada' },
    integrator: 'é de uma conta de integrador desabilitada',
    unsubscribed: 'não tem assinatura',
    only: (scopes) => `só assina ${scopes}`,
    limited: (limit, seconds) => `pode enviar ${limit} requisições em ${seconds} s`,
    ownClock: 'tem um relógio próprio',
  },
};
