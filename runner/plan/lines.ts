import { costBy, costKinds, sumOfCosts, type Cost } from '../../contract/endpoints.ts';
import { counted, figure, type Language } from '../../reports/language.ts';
import { leftText } from '../../reports/summary-words.ts';
import { triesToExclude, type Bound } from '../../judge/rate.ts';
import { sayIn } from '../portuguese/in-portuguese.ts';
import type { CollectedCheck, Plan } from './costs.ts';
import type { Again, Purchase } from './purchase.ts';
import type { Deadline } from '../../targets/address.ts';

/** What a run goes by. */
interface Pace {
  /** Most requests a second; 0: no ceiling. */
  readonly maxRps: number;
  /** Milliseconds that the target takes to answer; 0 where that is not known. */
  readonly answerMs: number;
  /** Seconds that checks wait in real time. */
  readonly waitSeconds: number;
}

/** What a run will cost, before its first check: how many requests and how long, and what stays at the target. */
export function announcement(cost: Cost, { maxRps, answerMs, waitSeconds }: Pace, language: Language = 'en'): string[] {
  const say = sayIn(language);
  const whole = rounded(cost);
  const { requests, ...left } = whole;
  const isLeaving = Object.values(left).some((count) => count > 0);
  return [
    say(budgetLine(requests, maxRps, answerMs, waitSeconds)),
    ...(isLeaving
      ? [say(`It leaves at the target about ${leftText(whole, language)}; npm test -- --plan says what saves which.`)]
      : []),
  ];
}

/** What being surer may take besides, in one line. */
export function furtherLine(requests: number, maxRps: number, answerMs: number): string {
  const time = maxRps === 0 ? '' : `, ${figure(announcedMinutes(requests, maxRps, answerMs))} min`;
  return `Until it is as sure as was asked: up to ${counted(Math.round(requests), 'request')} more${time}; --budget caps them.`;
}

/** That checks are made again, and for what, in one line. */
export function againLine({ clauses, requests }: Again, bound: Bound): string {
  const enough = figure(triesToExclude(bound));
  return `Not so sure yet: ${counted(clauses, 'must clause')} on fewer than ${enough} answers; about ${counted(Math.round(requests), 'request')} more.`;
}

/** What a budget of requests buys, in one line. */
export function purchaseLine(
  checks: readonly CollectedCheck[],
  { unbought, numRuns, planned }: Purchase,
  most: number,
): string {
  const possible = checks.filter(({ tries }) => tries).length;
  const [bought, all] = [figure(possible - unbought.length), figure(possible)];
  return `${figure(most)} requests at most: ${bought} of ${all} checks, of ${counted(numRuns, 'case')} each, about ${counted(Math.round(planned), 'request')}.`;
}

const headings = ['topic', ...costKinds];

/** A table of what each topic costs that costs anything, with what is asked before the first check, and a row for all. */
export function topicLines(setUp: Cost, { topics, cost }: Plan): string[] {
  const costly = [...topics].filter(([, one]) => costKinds.some((kind) => Math.round(one[kind]) > 0));
  const parts: (readonly [string, Cost])[] = [['before the first check', setUp], ...costly];
  const all: readonly [string, Cost] = ['all', sumOfCosts([setUp, cost])];
  const rows = [...parts, all].map(([name, one]) => [name, ...costKinds.map((kind) => numberText(one[kind]))]);
  const widths = headings.map((heading, at) => Math.max(heading.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  const rule = '─'.repeat(line(headings).length);
  return [line(headings), ...rows.slice(0, -1).map(line), rule, ...rows.slice(-1).map(line)];
}

function numberText(count: number): string {
  return Math.round(count) === 0 ? '·' : figure(Math.round(count));
}

/** What one change would save, in words; `undefined` where that is nothing. */
export function savingText(cost: Cost, minutes: number): string | undefined {
  const saved = rounded(cost);
  const { requests, ...left } = saved;
  const parts = [
    ...(requests === 0 ? [] : [counted(requests, 'request')]),
    ...(Object.values(left).some((count) => count > 0) ? [leftText(saved, 'en', true)] : []),
    ...(minutes < 1 ? [] : [`${figure(minutes)} min`]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** Nobody sends a part of a request. */
function rounded(cost: Cost): Cost {
  return costBy((kind) => Math.round(cost[kind]));
}

/** Requests of a run that are asked again to see which of several nodes breaks a rule. */
export const mostAgain = 300;

/** Most requests of a run: room for what a failure costs, which is making it smaller, repeating it, asking its twin, looking for its cause, and at which node it is. */
export function roomFor(planned: number): number {
  return Math.ceil(planned * 1.5) + 400 + mostAgain;
}

/**
 * How long a run will take, in whole minutes: by the ceiling on requests a second, or by what an answer takes if that is longer,
 * and with what is waited for in real time.
 */
export function announcedMinutes(planned: number, maxRps: number, answerMs: number, waitSeconds = 0): number {
  return Math.ceil((planned * Math.max(1000 / maxRps, answerMs) + waitSeconds * 1000) / 60_000);
}

/** What a run will send, in one line; at most so many requests a second, 0 for no ceiling. */
export function budgetLine(planned: number, maxRps: number, answerMs = 0, waitSeconds = 0): string {
  const minutes = figure(announcedMinutes(planned, maxRps, answerMs, waitSeconds));
  const pace = maxRps === 0 ? '' : ` at ${figure(maxRps)} a second, about ${minutes} min`;
  return `About ${counted(planned, 'request')}${pace}; ${figure(roomFor(planned))} at most.`;
}

/** When a run that begins now has taken twice as long as announced; none where no duration was. */
export function deadlineOf(planned: number, maxRps: number, answerMs: number, waitSeconds = 0): Deadline | undefined {
  if (maxRps === 0) return undefined;
  const minutes = Math.max(1, announcedMinutes(planned, maxRps, answerMs, waitSeconds));
  return { announcedMinutes: minutes, atMs: Date.now() + 2 * minutes * 60_000 };
}
