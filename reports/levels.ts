import { isWithin } from '../contract/catalogue.ts';
import { type Clause, type AssuranceLevel, assuranceLevels } from '../contract/clause.ts';
import type { ClauseResult, Results } from '../schemas/results.ts';
import { mustClauses, isExercised } from './verdicts.ts';
import { counted, duration, figure, utc, type Language } from './language.ts';

/** How far a run reached. */
export type Reach = NonNullable<Results['level']>;

/** What a run was asked for. */
interface Asked {
  readonly clauses: readonly Clause[];
  /** The part of the suite, when that is not everything. */
  readonly filter?: string;
}

/**
 * How far a run reached, level by level, each with all below it; the highest of which every must clause was exercised and
 * holds is complete. Nothing of a run of a part, or of one without any must clause: they say nothing of levels.
 */
export function levelOf({ clauses, filter }: Asked, judged: readonly ClauseResult[]): Pick<Results, 'level'> {
  const must = mustClauses(judged);
  if (filter !== undefined || must.length === 0) return {};
  const levels = assuranceLevels.map((name) => {
    const within = new Set(clauses.filter((clause) => isWithin(clause, name)).map(({ id }) => id));
    const own = must.filter(({ id }) => within.has(id));
    const exercised = own.filter(({ verdict }) => isExercised(verdict)).length;
    const isComplete = own.length > 0 && own.every(({ verdict }) => verdict === 'passed');
    return { name, exercised, of: own.length, isComplete };
  });
  const complete = levels.findLast(({ isComplete }) => isComplete)?.name ?? null;
  return { level: { complete, reached: levels.map(({ name, exercised, of }) => ({ name, exercised, of })) } };
}

type Step = Reach['reached'][number];

/** The pieces of the sentence that says how far a run reached, where all of a level was exercised and where not. */
const english = {
  complete: ({ name, of }: Step): string =>
    of === 1
      ? `Level ${name} complete: the one must clause that it can exercise holds`
      : `Level ${name} complete: all ${counted(of, 'must clause')} that it can exercise hold`,
  none: 'No level complete',
  exercised: ({ name, exercised, of }: Step): string =>
    `level ${name}: ${figure(exercised)} of ${figure(of)} exercised`,
  notAllHold: ({ name, of }: Step): string => `level ${name}: all ${figure(of)} exercised, not all hold`,
};

type LevelWords = typeof english;

const number = (count: number): string => figure(count, 'pt-BR');

const portuguese: LevelWords = {
  complete: ({ name, of }) =>
    of === 1
      ? `Nível ${name} completo: a única cláusula obrigatória que ele pode exercitar é cumprida`
      : `Nível ${name} completo: todas as ${number(of)} cláusulas obrigatórias que ele pode exercitar são cumpridas`,
  none: 'Nenhum nível completo',
  exercised: ({ name, exercised, of }) =>
    `nível ${name}: ${number(exercised)} de ${number(of)} ${exercised === 1 ? 'exercitada' : 'exercitadas'}`,
  notAllHold: ({ name, of }) => `nível ${name}: todas as ${number(of)} exercitadas, nem todas cumpridas`,
};

const levelWords: Readonly<Record<Language, LevelWords>> = { en: english, 'pt-BR': portuguese };

/** Which level a run has completed and how far the next one is, in one sentence. */
export function levelSentence({ complete, reached }: Reach, language: Language = 'en'): string {
  const words = levelWords[language];
  const done = reached.find(({ name }) => name === complete);
  const next = reached[done === undefined ? 0 : reached.indexOf(done) + 1];
  const parts = [done === undefined ? words.none : words.complete(done), ...(next ? [distance(next, words)] : [])];
  return `${parts.join('; ')}.`;
}

/** How far a level is from being complete: "level credentials: 140 of 150 exercised". */
export function levelDistance({ reached }: Reach, level: AssuranceLevel): string {
  const step = reached.find(({ name }) => name === level);
  return step === undefined ? `level ${level}` : distance(step, english);
}

/** The same in a few words, where there is room for no more. */
export function levelBrief(reach: Reach): string {
  return reach.complete === null ? levelDistance(reach, 'secret') : `level ${reach.complete} complete`;
}

function distance(step: Step, words: LevelWords): string {
  return step.exercised < step.of ? words.exercised(step) : words.notAllHold(step);
}

/** Of how many answers one that breaks a clause would have been seen, 19 times in 20: what the clause has shown excludes a defect that is more frequent. */
export function oneIn({ observations }: Pick<ClauseResult, 'observations'>): number | undefined {
  return observations === undefined || observations.bound95 === 0 ? undefined : Math.floor(1 / observations.bound95);
}

/** How sure a run is of the must clauses that passed. */
interface Sureness {
  /** Half of them were seen as often as this, or more often, and one wrong answer in so many would have shown. */
  readonly median: { readonly seen: number; readonly oneIn: number };
  /** The clause that was seen least, and how often it was. */
  readonly least: { readonly clause: string; readonly seen: number };
}

/** How sure a run is of what it has passed; `undefined` where no must clause passed, the run says nothing as a whole, or it is from before this was counted. */
export function howSure({ verdict: ofRun, clauses }: Pick<Results, 'verdict' | 'clauses'>): Sureness | undefined {
  if (ofRun === 'error') return undefined;
  const passed = clauses
    .filter(({ level, verdict }) => level === 'must' && verdict === 'passed')
    .flatMap((clause) => {
      const sure = oneIn(clause);
      return sure === undefined ? [] : [{ clause: clause.id, oneIn: sure, seen: clause.observations?.right ?? 0 }];
    })
    .toSorted((one, other) => one.oneIn - other.oneIn || one.seen - other.seen);
  const [least] = passed;
  const median = passed[Math.floor((passed.length - 1) / 2)];
  return least && median
    ? { median: { seen: median.seen, oneIn: median.oneIn }, least: { clause: least.clause, seen: least.seen } }
    : undefined;
}

/** The same in a sentence. */
function howSureSentence({ median, least }: Sureness, language: Language = 'en'): string {
  const [half, fewest] = [median.oneIn, least.seen].map((count) => figure(count, language));
  const isTelling = median.oneIn > 1;
  if (language === 'en') {
    const excluded = isTelling ? `, so that one wrong in ${half} would have shown` : '';
    return `How sure (95 %): half of the passed must clauses rest on ${counted(median.seen, 'answer')} or more${excluded}; ${least.clause}, the least seen, on ${fewest}.`;
  }
  const excluded = isTelling ? `, de modo que uma errada em ${half} teria aparecido` : '';
  return `Quão certo (95 %): metade das cláusulas obrigatórias que passaram apoia-se em ${counted(median.seen, 'resposta', 'respostas', language)} ou mais${excluded}; ${least.clause}, a menos vista, em ${fewest}.`;
}

/** Short clauses that a sentence names: those that were seen least. */
const mostNamed = 5;

/** How far a run came that was asked to be so sure, in a sentence; `undefined` where it was not asked. */
function boundSentence({ bound, verdict, clauses }: Results, language: Language): string | undefined {
  if (bound === undefined || verdict === 'error') return undefined;
  const { answers: enough } = bound;
  const passed = clauses.filter(({ level, verdict: ofClause }) => level === 'must' && ofClause === 'passed');
  const short = passed
    .map(({ id, observations }) => ({ id, right: observations?.right ?? 0 }))
    .filter(({ right }) => right < enough)
    .toSorted((one, other) => one.right - other.right);
  const [rate, sure] = [bound.atMost, bound.confidence].map((share) => `${figure(share * 100, language)} %`);
  const [held, all, each] = [passed.length - short.length, passed.length, enough].map((count) =>
    figure(count, language),
  );
  const named = short.slice(0, mostNamed).map(({ id, right }) => `${id} (${figure(right, language)})`);
  const more = short.length > mostNamed ? ', …' : '';
  const fewer = `${named.join(', ')}${more}`;
  if (language === 'en') {
    const told = `Asked for: no more than ${rate} wrong (${sure}). That takes ${each} answers, and ${held} of ${all} passed must clauses rest on as many`;
    return short.length === 0 ? `${told}.` : `${told}; on fewer rest ${fewer}.`;
  }
  const told = `Pedido: no máximo ${rate} erradas (${sure}). Isso pede ${each} respostas, e ${held} de ${all} cláusulas obrigatórias que passaram apoiam-se em tantas`;
  return short.length === 0 ? `${told}.` : `${told}; em menos apoiam-se ${fewer}.`;
}

/** All that is to be said of how sure a run is of what passed: a sentence each. */
export function sureSentences(results: Results, language: Language = 'en'): string[] {
  const sure = howSure(results);
  const sentences = [
    sure && howSureSentence(sure, language),
    boundSentence(results, language),
    servedSentence(results, language),
    unansweredSentence(results, language),
    refusedSentence(results, language),
    spellSentence(results, language),
    unsettledSentence(results, language),
  ];
  return sentences.filter((sentence) => sentence !== undefined);
}

/** Whether a clause passed by answers alone that other checks have bought, since a budget did not reach its own. */
function isServedByOthers({ verdict, checks }: ClauseResult): boolean {
  const made = checks.filter(({ state }) => state !== 'not-exercised');
  return verdict === 'passed' && made.every(({ inPassing }) => inPassing) && checks.some(({ unbought }) => unbought);
}

/** How many clauses did, in a sentence; `undefined` where none did. */
export function servedSentence({ clauses }: Pick<Results, 'clauses'>, language: Language = 'en'): string | undefined {
  const served = clauses.filter(isServedByOthers).length;
  if (served === 0) return undefined;
  return language === 'en'
    ? `${counted(served, 'clause')} passed by what other checks were answered alone: the budget did not reach as far as checks of their own.`
    : `${counted(served, 'cláusula passou', 'cláusulas passaram', language)} só pelo que outras verificações receberam: o orçamento não chegou às verificações próprias.`;
}

/** How many requests no service answered, in a sentence: behind that may be one node of several. `undefined` where each was answered. */
function unansweredSentence({ requests, unanswered = 0 }: Results, language: Language): string | undefined {
  if (unanswered === 0) return undefined;
  return language === 'en'
    ? `Not answered by the service were ${figure(unanswered)} of ${counted(requests, 'request')}: nothing came, or 502, 503 or 504. The network may be to blame, or a node of the service.`
    : `Sem resposta do serviço ficaram ${figure(unanswered, language)} de ${counted(requests, 'requisição', 'requisições', language)}: nada veio, ou 502, 503 ou 504. A culpa pode ser da rede, ou de um nó do serviço.`;
}

/** Fewer may be what a check was to find. */
const fewestRefused = 20;

/** That the App Secret was refused to the end of the run, in a sentence: whoever rotates it meanwhile has every clause fail. */
function refusedSentence({ refused }: Results, language: Language): string | undefined {
  if (refused === undefined || refused.requests < fewestRefused) return undefined;
  const [since, code] = [utc(refused.since), String(refused.code)];
  return language === 'en'
    ? `Since ${since} no request with the App Secret of the run succeeded, and ${figure(refused.requests)} were refused with code ${code}: where somebody rotated it, or disabled the application, what failed since says nothing.`
    : `Desde ${since} nenhuma requisição com o App Secret da execução teve sucesso, e ${figure(refused.requests, language)} foram recusadas com o código ${code}: se alguém o trocou, ou desativou a aplicação, o que falhou desde então nada diz.`;
}

/** That answers were of one kind in one time alone, in a sentence: a clause that failed then may have failed for that. */
function spellSentence({ spell }: Results, language: Language): string | undefined {
  if (spell === undefined) return undefined;
  const { status, isPage } = spell;
  const [from, to] = [utc(spell.from), utc(spell.to)];
  const [answers, of] = [figure(spell.answers, language), figure(spell.of, language)];
  return language === 'en'
    ? `From ${from} to ${to}, and at no other time, ${answers} of ${of} answers ${isPage ? 'were a page with' : 'had'} status ${status}: where a deploy, a firewall or a page to log in came between, what failed then says nothing of the service.`
    : `De ${from} a ${to}, e em nenhum outro momento, ${answers} de ${of} respostas ${isPage ? 'foram uma página com' : 'tiveram'} status ${status}: se uma implantação, um firewall ou uma página de login esteve no meio, o que falhou então nada diz do serviço.`;
}

/** That invoices never settled where others soon did, in a sentence: what waited for them was not exercised. */
function unsettledSentence({ unsettled }: Results, language: Language): string | undefined {
  if (unsettled === undefined) return undefined;
  const { invoices, of } = unsettled;
  const [waited, slowest] = [duration(unsettled.waitedMs, language), duration(unsettled.slowestMs, language)];
  return language === 'en'
    ? `Still AguardandoAutorizacao when last asked for ${invoices === 1 ? 'was' : 'were'} ${figure(invoices)} of ${counted(of, 'invoice')}, up to ${waited} after issuance; the others had settled within ${slowest}: the service may have lost what did not.`
    : `Ainda em AguardandoAutorizacao na última consulta ${invoices === 1 ? 'estava' : 'estavam'} ${figure(invoices, language)} de ${counted(of, 'nota', 'notas', language)}, até ${waited} após a emissão; as outras tiveram desfecho em até ${slowest}: o serviço pode ter perdido as que não o tiveram.`;
}
