import { describe, expect, test } from 'vitest';
import { sampleOutcome } from '../../reports/testing/sample-run.ts';
import { showProgress, type ShownProgress, type Surroundings } from './progress.ts';

const erased = '\r\u{1b}[K';
const ofTerminal = { TERM: 'xterm', NO_COLOR: '1' };

/** Progress of two clauses with a check each, on a stand-in for the terminal whose clock moves only when told. */
function onStage(environment: Record<string, string> = ofTerminal, output = { isTTY: true, columns: 80 }) {
  const written: string[] = [];
  const timers = new Set<() => void>();
  const breaks = new Set<() => void>();
  let timeMs = 1_000_000;
  const keep = (tasks: Set<() => void>, task: () => void): (() => void) => {
    tasks.add(task);
    return () => void tasks.delete(task);
  };
  const surroundings: Surroundings = {
    output: { ...output, write: (text) => written.push(text) },
    environment,
    nowMs: () => timeMs,
    every: (_, task) => keep(timers, task),
    onBreak: (task) => keep(breaks, task),
  };
  const run = {
    clauses: ['echo.body', 'echo.query'],
    clauseWord: 'clause' as const,
    sent: () => 7,
    pendingMs: () => 0,
    maxRps: 0,
    verdictOf: () => 'failed' as const,
    mask: (text: string) => text.replaceAll('hush', '$SECRET'),
  };
  const shown: ShownProgress = showProgress(run, surroundings);
  return {
    ...shown,
    written,
    timers,
    breaks,
    begin() {
      shown.watcher.started(['echo.spec.ts']);
      const checks = run.clauses.map((clause) => ({ id: clause, clause, requests: 10 }));
      shown.watcher.read('echo.spec.ts', checks);
    },
    pass(ms: number) {
      timeMs += ms;
      for (const tick of timers) tick();
    },
    passUnseen(ms: number) {
      timeMs += ms;
    },
  };
}

/** The check of the clause fails. */
function fail({ watcher }: ShownProgress, clause: string, name = 'the rule'): void {
  watcher.ended(clause, [sampleOutcome(clause, { state: 'failed', name })]);
}

describe('on a terminal', () => {
  test('one line is written over in place', () => {
    const stage = onStage();
    stage.begin();
    stage.pass(3000);
    expect(stage.written).toEqual([
      `${erased}0 of 2 clauses, 7 requests, 0 s`,
      `${erased}0 of 2 clauses, 7 requests, 3 s`,
    ]);
  });

  test.each([
    [15, '0 of 2 clauses'],
    [14, '0/2'],
    [0, '0 of 2 clauses, 7 requests, 0 s'],
  ])('of %d columns the line leaves the last one free; 0 is a width that nobody knows', (columns, line) => {
    const stage = onStage(ofTerminal, { isTTY: true, columns });
    stage.begin();
    expect(stage.written).toEqual([`${erased}${line}`]);
  });

  test('a failure stays above the line, and only once', () => {
    const stage = onStage();
    stage.begin();
    fail(stage, 'echo.body');
    fail(stage, 'echo.body');
    const line = '0 of 2 clauses, 7 requests, 0 s';
    expect(stage.written).toEqual([`${erased}${line}`, `${erased}failed  echo.body  the rule\n${line}`]);
  });

  test('failures are red unless NO_COLOR is set', () => {
    const [red, plain] = [onStage({ TERM: 'xterm' }), onStage()];
    for (const stage of [red, plain]) {
      stage.begin();
      fail(stage, 'echo.body');
      stage.pass(250);
    }
    expect(red.written.at(-1)).toContain('\u{1b}[31m1 failed\u{1b}[39m');
    expect(plain.written.at(-1)).toContain(', 1 failed, ');
  });

  test.each(['the end', 'a break'])('%s erases the line and stops the clock', (how) => {
    const stage = onStage();
    stage.begin();
    for (const end of how === 'a break' ? stage.breaks : [stage.close]) end();
    expect(stage.written.slice(1)).toEqual([erased]);
    expect([stage.timers.size, stage.breaks.size]).toEqual([0, 0]);
  });

  test('a run that ends before its specs begin leaves the terminal alone', () => {
    const stage = onStage();
    stage.close();
    expect(stage.written).toEqual([]);
  });
});

describe.each([
  ['through a pipe', {}, { isTTY: false, columns: 80 }],
  ['in CI', { CI: 'true', TERM: 'xterm' }, { isTTY: true, columns: 80 }],
  ['on a dumb terminal', { TERM: 'dumb' }, { isTTY: true, columns: 80 }],
])('%s', (_, environment, output) => {
  test('there are whole lines without escape sequences, few of them', () => {
    const stage = onStage(environment, output);
    stage.begin();
    fail(stage, 'echo.body');
    for (let ticks = 0; ticks < 80; ticks += 1) stage.pass(250);
    stage.close();
    expect(stage.written).toEqual([
      '0 of 2 clauses, 7 requests, 0 s\n',
      'failed  echo.body  the rule\n',
      '1 of 2 clauses, 1 failed, 7 requests, 10 s\n',
    ]);
  });
});

test('a log ends with where the run stood, unless it has just been told', () => {
  const ends = [9_000, 11_000].map((ms) => {
    const stage = onStage({}, { isTTY: false, columns: 80 });
    stage.begin();
    stage.watcher.ended('echo.body', []);
    stage.passUnseen(ms);
    stage.close();
    return stage.written.slice(1);
  });
  expect(ends).toEqual([[], ['1 of 2 clauses, 7 requests, 11 s\n']]);
});

test('what is printed is masked', () => {
  const stage = onStage();
  stage.begin();
  fail(stage, 'echo.body', 'hush, a rule');
  expect(stage.written.at(-1)).toContain('$SECRET, a rule');
});

test('the time left is told once it is known', () => {
  const stage = onStage();
  stage.begin();
  stage.pass(20_000);
  stage.watcher.ended('echo.body', []);
  stage.pass(250);
  expect(stage.written.at(-1)).toBe(`${erased}1 of 2 clauses, 7 requests, 20 s, about 20 s left`);
});
