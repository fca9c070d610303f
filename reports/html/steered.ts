import { member } from '../../schemas/values.ts';
import type { CheckResult } from '../../schemas/results.ts';
import type { Language } from '../language.ts';
import { exactLine, markup, type Markup } from './markup.ts';
import { said, saidBy } from './said.ts';
import { timeOfDay } from './time-of-day.ts';

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
