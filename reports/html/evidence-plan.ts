import type { CheckResult, ClauseResult, ExchangeEvidence, Results } from '../../schemas/results.ts';
import type { ReportModel } from '../model.ts';
import { failedChecks } from '../evidence.ts';
import { checksToRepeat, scriptOfCheck, type Lack } from '../repeat/script.ts';
import { exchangeDetails, sampleDetails } from './exchange.ts';
import { type Markup, exactText, markup } from './markup.ts';
import type { Phrase } from '../language.ts';
import { said, type TextRoom } from './words.ts';

/** How much of a run a page shows. */
export interface PageRoom {
  readonly room: TextRoom;
  readonly evidence: EvidencePlan;
}

/** The evidence that a page has room for. */
export interface EvidencePlan {
  /** What each check is called in the address of the page. */
  readonly places: ReadonlyMap<CheckResult, string>;
  /** The exchanges of a check that are shown, in their order: the last ones. */
  readonly exchangesOf: (check: CheckResult) => readonly Markup[];
  /** The script that repeats a failed check. */
  readonly scriptOf: (check: CheckResult) => Markup | undefined;
}

/** A failed check with its clause. */
interface Failure {
  readonly clause: ClauseResult;
  readonly check: CheckResult;
}

/** An exchange as the page has it, and which one of its check it is by the time of day: 1 is the first. */
interface PlacedPiece {
  readonly position: number;
  readonly piece: Markup;
}

/** Deliveries stand behind the requests in what a check hands over; where a time is not known, its place there counts. */
export function placeInTime(all: readonly ExchangeEvidence[], index: number): number {
  const own = all[index]?.at;
  if (own === undefined || all.some(({ at }) => at === undefined)) return index + 1;
  return 1 + all.filter(({ at = 0 }, place) => at < own || (at === own && place < index)).length;
}

/** What a page may hold, in the order in which it matters; a piece that does not fit leaves room for the next one. */
export function evidencePlan({ results, groups, say }: ReportModel, bytes: number): EvidencePlan {
  const exchanges = new Map<CheckResult, PlacedPiece[]>();
  const scripts = new Map<CheckResult, Markup>();
  let left = bytes;
  const take = (piece: Markup, frame?: Markup): boolean => {
    const size = Buffer.byteLength(piece.html) + (frame ? Buffer.byteLength(frame.html) : 0);
    if (size > left) return false;
    left -= size;
    return true;
  };
  /** Takes the exchange before those that are shown already; the last one of a failure, which decides, is unfolded. */
  const takeBefore = (check: CheckResult, frame?: Markup): boolean => {
    const all = check.exchanges ?? [];
    const shown = exchanges.get(check) ?? [];
    const index = all.length - shown.length - 1;
    const exchange = all[index];
    if (!exchange) return false;
    const position = placeInTime(all, index);
    const isDeciding = check.state === 'failed' && shown.length === 0;
    const piece = exchangeDetails(exchange, position, isDeciding, `${placeOf(check)}-${position}`);
    if (!take(piece, frame)) return false;
    exchanges.set(check, [{ position, piece }, ...shown]);
    return true;
  };
  const places = placesOfChecks(results);
  const placeOf = (check: CheckResult): string => places.get(check) ?? '';
  const failures = failuresOf(groups);
  const repeated = checksToRepeat(results);
  for (const { check } of failures) takeBefore(check);
  for (const { clause, check } of failures) {
    // Of one cause one script is enough.
    const script = repeated.has(check) ? scriptDetails(clause, check, results.target.baseUrl) : undefined;
    if (script && take(script)) scripts.set(check, script);
  }
  // In turn, so that no failure takes the room of another.
  let open = failures.map(({ check }) => check).filter((check) => exchanges.has(check));
  while (open.length > 0) open = open.filter((check) => takeBefore(check));
  for (const check of passedChecks(results)) takeBefore(check, sampleDetails([{ check, shown: [] }], say['pt-BR']));
  const inTime = (check: CheckResult): Markup[] =>
    (exchanges.get(check) ?? []).toSorted((one, other) => one.position - other.position).map(({ piece }) => piece);
  return { places, exchangesOf: inTime, scriptOf: (check) => scripts.get(check) };
}

/** What each check of a run is called in the address of a page: its clause, and its place among the checks of that. */
function placesOfChecks({ clauses }: Pick<Results, 'clauses'>): ReadonlyMap<CheckResult, string> {
  return new Map(
    clauses.flatMap(({ id, checks }) => checks.map((check, at) => [check, `check-${id}-${at + 1}`] as const)),
  );
}

/** No evidence at all: what the rest of the page takes shows how much it may have. */
export function noEvidence({ results }: ReportModel): EvidencePlan {
  return { places: placesOfChecks(results), exchangesOf: () => [], scriptOf: () => undefined };
}

function failuresOf({ failures, stale, warnings, known }: ReportModel['groups']): Failure[] {
  const clauses = [failures, stale, warnings, known].flatMap((group) => group.clauses);
  return clauses.flatMap((clause) => failedChecks(clause).map((check) => ({ clause, check })));
}

function passedChecks({ clauses }: Results): CheckResult[] {
  return clauses.flatMap(({ checks }) => checks.filter(({ state }) => state === 'passed'));
}

/** How to repeat a failed check: the command, and the script where the page has room for it; nothing where neither is known. */
export function repeatBlock({ replay }: Pick<CheckResult, 'replay'>, script: Markup | undefined): Markup | undefined {
  if (replay === undefined && script === undefined) return undefined;
  return markup`<div class="repeat">
<h5>${said('How to repeat it', 'Como repetir')}</h5>
${replay === undefined ? undefined : markup`<pre class="command" tabindex="0">${exactText(replay)}</pre>`}
${script}
</div>`;
}

/** Why no script can repeat a failed check; nothing where one can. */
export function lackNote(clause: Pick<ClauseResult, 'id'>, check: CheckResult): Markup | undefined {
  const told = scriptOfCheck(clause, check, '');
  return 'lack' in told
    ? markup`<p class="note">${said(lacks[told.lack].en, lacks[told.lack]['pt-BR'])}</p>`
    : undefined;
}

/** A script, folded, that takes the steps of a failed check again; nothing where there can be none. */
function scriptDetails(clause: ClauseResult, check: CheckResult, baseUrl: string): Markup | undefined {
  const told = scriptOfCheck(clause, check, baseUrl);
  if ('lack' in told) return undefined;
  return markup`<details class="script">
<summary>${said('A script that repeats it, step by step', 'Um script que repete isto, passo a passo')}</summary>
<p class="note">${said(
    markup`Save it as <code>repeat.mjs</code> and run <code>node repeat.mjs</code>; it needs Node only and reads secrets from the environment. It ends with 1 where it is reproduced, with 0 where it is not, with 2 where it could not be tried.`,
    markup`Salve como <code>repeat.mjs</code> e rode <code>node repeat.mjs</code>; só precisa do Node e lê os segredos do ambiente. Termina com 1 onde se reproduz, com 0 onde não, com 2 onde não se pôde tentar.`,
  )}</p>
<pre class="command" tabindex="0">${told.script}</pre>
</details>`;
}

const lacks: Readonly<Record<Lack, Phrase>> = {
  steps: {
    en: 'No script repeats this: it takes more steps than the report holds. The command makes the whole check again.',
    'pt-BR':
      'Nenhum script repete isto: são mais passos do que o relatório guarda. O comando refaz a verificação inteira.',
  },
  request: {
    en: 'No script repeats this: the report does not tell how one of its requests was signed. The command makes the whole check again.',
    'pt-BR':
      'Nenhum script repete isto: o relatório não diz como uma das requisições foi assinada. O comando refaz a verificação inteira.',
  },
  body: {
    en: 'No script repeats this: the body of one of its requests is too long for the report. The command makes the whole check again.',
    'pt-BR':
      'Nenhum script repete isto: o corpo de uma das requisições é longo demais para o relatório. O comando refaz a verificação inteira.',
  },
};
