import type { CallerEvidence } from '../../schemas/evidence.ts';
import type { Language } from '../language.ts';
import { markup, type Markup, exactLine } from './markup.ts';
import { saidBy, said } from './words.ts';
import { member } from '../../schemas/values.ts';
import type { CheckResult } from '../../schemas/results.ts';

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

type Step = NonNullable<CheckResult['steered']>[number];

/** What was done by the control API in the case of a failure, step by step, in words; nothing where nothing was. */
export function steeredList({ steered = [] }: CheckResult): Markup | undefined {
  if (steered.length === 0) return undefined;
  return markup`<details class="steered"><summary>${said('What was done by the control API before it', 'O que a API de controle fez antes')}: ${steered.length}</summary>
<ol>${steered.map(stepItem)}</ol></details>
`;
}

function stepItem(step: Step): Markup {
  const { at, method, path, json, status } = step;
  return markup`<li>${timeOfDay(at)} ${saidBy((language) => stepWords(step, language))} <code class="note">${method} ${exactLine(path)}${json === undefined || json === null ? undefined : markup` ${exactLine(JSON.stringify(json))}`} → ${status}</code></li>
`;
}

/** What a call does, by its place and its body. */
function stepWords({ method, path, json }: Step, language: Language): string {
  const place = `${method} ${path.replace(/^\/applications\/[^/]+/, '/applications/*').replace(/^\/authority\/invoices\/.*/, '/authority/invoices/*')}`;
  const seconds = Number(member(json, 'advanceSeconds') ?? 0);
  if (place === 'POST /applications/*/clock') return words.clock[language](seconds);
  return words.places[language][place] ?? words.other[language];
}

const words = {
  clock: {
    en: (seconds: number) =>
      seconds === 0 ? 'what is due by its clock happens' : `moves its clock on by ${seconds} s`,
    'pt-BR': (seconds: number) =>
      seconds === 0 ? 'acontece o que o relógio dela já pede' : `adianta o relógio dela em ${seconds} s`,
  },
  places: {
    en: {
      'POST /applications': 'makes an application',
      'PATCH /applications/*': 'changes the application',
      'POST /applications/*/secret': 'rotates its App Secret',
      'PUT /applications/*/authority': 'has the tax authority decide so',
      'PUT /applications/*/verification-webhook': 'saves the addresses for verification events',
      'GET /applications/*/deliveries': 'asks what was delivered',
      'PUT /authority/invoices/*': 'puts an invoice on the tax authority’s record',
    },
    'pt-BR': {
      'POST /applications': 'cria uma aplicação',
      'PATCH /applications/*': 'muda a aplicação',
      'POST /applications/*/secret': 'troca o App Secret dela',
      'PUT /applications/*/authority': 'faz a autoridade fiscal decidir assim',
      'PUT /applications/*/verification-webhook': 'salva os endereços dos eventos de verificação',
      'GET /applications/*/deliveries': 'pergunta o que foi entregue',
      'PUT /authority/invoices/*': 'põe uma nota no registro da autoridade fiscal',
    },
  } as Readonly<Record<Language, Readonly<Record<string, string>>>>,
  other: { en: 'calls the control API', 'pt-BR': 'chama a API de controle' },
} as const;

/** The time of day of an instant in epoch milliseconds, with its date for who points at it: "23:21:57.123". */
export function timeOfDay(at: number): Markup {
  const iso = new Date(at).toISOString();
  return markup`<time datetime="${iso}" title="${iso}">${iso.slice(11, 23)}</time>`;
}
