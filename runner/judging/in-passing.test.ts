import { describe, expect, test } from 'vitest';
import { eventOf, eventWith, valid, recordOf, type RecordWish } from '../../judge/testing/records.ts';
import { newStory } from '../../judge/testing/story.ts';
import type { CheckOutcome } from '../../schemas/results.ts';
import type { Way } from '../../schemas/finding.ts';
import type { Evidence } from '../../schemas/evidence.ts';
import { lineOf, type CallLine, type RecordLine } from '../../trace/lines.ts';
import type { TraceRecord } from '../../trace/records.ts';
import { withPassing, seenOf } from './in-passing.ts';
import { sampleOutcome } from '../../reports/testing/sample-run.ts';

describe('in passing', () => {
  const clause = 'retirement.gone';
  const [xml, chave] = ['/openapi/nfe/verify/xml', '/openapi/nfe/verify/chave'];

  /** A retired path whose 410 has another code. */
  function miscoded(target: string, at: number, code = 10009035): CallLine {
    const text = JSON.stringify({ success: false, errorType: 1, code, message: 'não' });
    const request = { method: 'POST', target, headers: [] };
    const body = { text, encoding: 'utf-8', bytes: text.length } as const;
    const response = { status: 410, headers: [], body };
    const evidence = { request, response, durationMs: 1 };
    return { check: 'a check', case: 1, kind: 'exchange', at, ids: {}, evidence };
  }

  function resultOf(lines: readonly RecordLine[], accepted?: string) {
    const entries = accepted === undefined ? [] : [{ reason: 'TICKET-1', endpoint: `POST ${accepted}` }];
    return withPassing([], lines, { inPassing: [clause] }, { seed: 1, knownDeviations: { [clause]: entries } })[0]
      ?.result;
  }

  describe('what is seen broken in passing', () => {
    const both = [miscoded(xml, 1), miscoded(chave, 2)];

    test('is told of every endpoint, and shown by the exchange of the first one', () => {
      const result = resultOf(both);
      expect(result?.endpoint).toBe(`POST ${xml}`);
      expect(result?.ways?.map(({ endpoint }) => endpoint)).toEqual([`POST ${xml}`, `POST ${chave}`]);
      expect(result?.exchanges?.at(-1)?.request.target).toBe(xml);
      expect(result).not.toHaveProperty('known');
    });

    test.each([
      [xml, chave],
      [chave, xml],
    ])('and accepted of %s is told of another endpoint, whichever came first', (accepted, other) => {
      const result = resultOf(both, accepted);
      expect(result?.endpoint).toBe(`POST ${other}`);
      expect(result?.known).toMatchObject([{ endpoint: `POST ${accepted}` }]);
      expect(result?.exchanges?.map(({ request }) => request.target)).toEqual([other]);
    });

    test('and accepted, in however many ways, takes no place of another one', () => {
      const many = Array.from({ length: 80 }, (_, at) => miscoded(xml, at, 10009100 + at));
      expect(resultOf([...many, miscoded(chave, 1_000)], xml)?.endpoint).toBe(`POST ${chave}`);
    });

    describe('and accepted of a check', () => {
      const title = 'a retired path gets 410';
      const [seen] = resultOf([miscoded(xml, 1)])?.ways ?? [];

      /** What is told in passing where that check failed in this way, and its failure is accepted. */
      function knownBeside(way: Partial<Way>, lines = both): readonly (string | undefined)[] {
        const { endpoint = '', expected, actual } = { expected: '', actual: '', ...seen, ...way };
        const error = { title, expected, actual };
        const result = { name: title, file: 'a', durationMs: 1, cases: 1, assertions: 1, endpoint, error } as const;
        const knownDeviations = { [clause]: [{ reason: 'TICKET-1', check: title }] };
        const failed = { clause, result: { ...result, state: 'failed' } } as const;
        const [, passing] = withPassing([failed], lines, { inPassing: [clause] }, { seed: 1, knownDeviations });
        return passing?.result.known?.map(({ endpoint }) => endpoint) ?? [];
      }

      test('is accepted as far as that check showed it: the same was expected, and came, at the same endpoint', () => {
        expect(knownBeside({})).toEqual([`POST ${xml}`]);
        expect(knownBeside({ endpoint: `POST ${chave}` })).toEqual([`POST ${chave}`]);
      });

      test.each([{ endpoint: 'GET /openapi/demo/echo' }, { expected: '401' }, { actual: '404, no code' }])(
        'is red where the check showed something else: %j',
        (way) => {
          expect(knownBeside(way)).toEqual([]);
        },
      );
    });

    test('and accepted wherever it was seen is what it tells of', () => {
      const result = resultOf([miscoded(xml, 1)], xml);
      expect(result).toMatchObject({ endpoint: `POST ${xml}`, known: [{ endpoint: `POST ${xml}` }] });
    });
  });

  describe('an exchange that is shown tells of', () => {
    test('the time, the connection and the application that called, besides its messages', () => {
      const caller = { name: 'app-1', standing: { state: 'disabled' } } as const;
      const line = { ...miscoded(xml, 1_795_390_831_335), connection: 40_258, caller };
      expect(resultOf([line])?.exchanges?.[0]).toMatchObject({
        at: 1_795_390_831_335,
        connection: 40_258,
        caller: { standing: { state: 'disabled' } },
      });
    });

    test('what was done by the control API in its case, and how its application was made', () => {
      const title = 'a retired path gets 410';
      const check = `specs/a.spec.ts ${clause}: ${title}`;
      const steering = { check, kind: 'steering', method: 'POST', ms: 1, json: {}, status: 200, ids: {} } as const;
      const line = { ...miscoded(xml, 40), check, case: 2, caller: { name: 'app-1', standing: {} } };
      const lines: RecordLine[] = [
        { ...steering, case: 1, at: 10, path: '/applications', application: 'app-1' },
        { ...steering, case: 1, at: 20, path: '/applications', application: 'app-2' },
        { ...steering, case: 1, at: 25, path: '/applications/app-2/clock', application: 'app-2' },
        { ...steering, case: 2, at: 30, path: '/applications/app-1/clock', application: 'app-1' },
        line,
      ];
      const exchanges = [line.evidence];
      const error = { title, expected: '410', actual: '404' };
      const result = { name: title, file: 'specs/a.spec.ts', durationMs: 1, cases: 1, assertions: 1, error, exchanges };
      const [outcome] = withPassing(
        [{ clause, result: { ...result, state: 'failed' } }],
        lines,
        { inPassing: [] },
        { seed: 1 },
      );
      expect(outcome?.result.steered?.map(({ at, path }) => [at, path])).toEqual([
        [10, '/applications'],
        [30, '/applications/app-1/clock'],
      ]);
      expect(outcome?.result.exchanges?.[0]).toMatchObject({ at: 40, caller: { standing: {} } });
    });
  });

  test('a delivery that a failed check shows is told by its channel, though its line does not repeat when it came', () => {
    const [title, file] = ['it comes', 'specs/a.spec.ts'];
    const record = eventOf(eventWith(valid));
    const shown = { text: record.body.toString('utf8'), encoding: 'utf-8', bytes: record.body.length } as const;
    const { method, target, headers } = record;
    const evidence = { request: { method, target, headers: [...headers], body: shown }, durationMs: 1 };
    const line = lineOf({ check: `${file} ${clause}: ${title}`, case: 1 }, record, evidence, (name) => name);
    const error = { title, expected: 'an event', actual: 'another' };
    const exchanges = [{ ...evidence, at: line.at, received: true as const }];
    const result = { name: title, file, durationMs: 1, cases: 1, assertions: 1, error, exchanges };
    const failed = { clause, result: { ...result, state: 'failed' } } as const;
    const [outcome] = withPassing([failed], [line], { inPassing: [] }, { seed: 1 });
    expect(outcome?.result.shared?.facts).toContainEqual({ name: 'channel', value: 'verification' });
  });

  test('requests that show it together are counted where some were under way at once', () => {
    const path = '/openapi/v2/empresas/e1/nf-e';
    const issue = asked(10, 5, { target: path, requestBody: '{"id":"n1"}' });
    const query = (at: number, durationMs: number, status: string): RecordLine =>
      asked(at, durationMs, { method: 'GET', target: `${path}/n1`, body: { status } });
    const saidOf = (lines: readonly RecordLine[]) =>
      withPassing([], lines, { inPassing: ['nfe-query.follows-the-life-cycle'] }, { seed: 1 })[0]?.result;
    const denied = query(20, 5, 'Negada');
    const cancel = asked(25, 30, { method: 'DELETE', target: `${path}/n1` });
    expect(saidOf([issue, denied, cancel, query(30, 5, 'Autorizada')])?.together).toBe(4);
    const oneByOne = saidOf([issue, denied, query(30, 5, 'Autorizada')]);
    expect(oneByOne?.state).toBe('failed');
    expect(oneByOne).not.toHaveProperty('together');
  });

  /** An exchange of an application, as a line. */
  function asked(sentAtMs: number, durationMs: number, wish: RecordWish): RecordLine {
    const caller = { name: 'app-1', standing: {} };
    const record = recordOf({
      caller,
      nowSeconds: 1000,
      requestHeaders: {},
      signing: {},
      sentAtMs,
      durationMs,
      ...wish,
    });
    const textOf = (text: string) => ({ text, encoding: 'utf-8', bytes: text.length }) as const;
    const body = textOf(typeof wish.body === 'object' ? JSON.stringify(wish.body) : '');
    const request = { method: record.method, target: record.target, headers: [], body: textOf(wish.requestBody ?? '') };
    const evidence = { request, response: { status: 200, headers: [], body }, durationMs };
    return lineOf({ check: 'a check', case: 1 }, record, evidence, (name) => name);
  }

  describe('what did not come', () => {
    const retried = 'webhook-delivery.other-status-retried';

    /** A delivery, as it is shown; what was done to a target shows nothing. */
    function shownOf(record: TraceRecord): Evidence {
      if (record.kind !== 'delivery') return { request: { method: '', target: '', headers: [] }, durationMs: 0 };
      const { method, target, headers, body } = record;
      const shown = { text: body.toString('utf8'), encoding: 'utf-8', bytes: body.length } as const;
      return { request: { method, target, headers: [...headers], body: shown }, durationMs: 1 };
    }

    /** What is said of a hundred events that were refused, so many of which were not sent again. */
    function saidOfMissing(missing: number): readonly CheckOutcome[] {
      const story = newStory();
      story.save('a');
      for (let event = 0; event < 100; event++) {
        const [at, id] = [event * 120, `e-${event}`] as const;
        const coming = { headers: { 'x-service-event-id': id }, body: { ...eventWith(valid), event_id: id } };
        story.comes({ ...coming, at, context: { answer: 500 } });
        story.advance(120, () => event >= missing && story.comes({ ...coming, at: at + 60 }));
      }
      const place = { check: 'a check', case: 1 };
      const lines = story.records.map((record) => lineOf(place, record, shownOf(record), (name) => name));
      return withPassing([], lines, { inPassing: [retried] }, { seed: 1 });
    }

    test('accuses nobody where a network may have lost it: one in a hundred', () => {
      expect(saidOfMissing(1)).toEqual([]);
    });

    test('accuses the target where no honest network loses so many: ten in a hundred', () => {
      const [said] = saidOfMissing(10);
      expect(said).toMatchObject({ clause: retried, result: { state: 'failed', cases: 100 } });
      expect(said?.result.error?.actual).toContain('none, in 10 of 100 that were seen: intermittent');
    });

    test('is accepted of a check whatever it requested last: a delivery is at no endpoint', () => {
      const title = 'an event is sent when a verdict settles';
      const error = { title, expected: 'a delivery, by its first retry at the latest', actual: 'none came' };
      const shown = {
        name: title,
        file: 'a',
        durationMs: 1,
        cases: 1,
        assertions: 1,
        endpoint: `POST ${xml}`,
        error,
      } as const;
      const promised = 'verdict-event.sent-when-settled';
      const knownDeviations = { [promised]: [{ reason: 'TICKET-1', check: title }] };
      const line = { check: 'a check', case: 1, kind: 'awaited', at: 1, clause: promised, hasCome: false } as const;
      const failed = { clause: promised, result: { ...shown, state: 'failed' } } as const;
      const [, said] = withPassing([failed], [line], { inPassing: [promised] }, { seed: 1, knownDeviations });
      expect(said?.result.known).toHaveLength(1);
    });

    test('accuses the target of each promised delivery, which is waited for until after its retry', () => {
      const clause = 'verdict-event.sent-when-settled';
      const lines = Array.from({ length: 100 }, (_, at): RecordLine => {
        return { check: 'a check', case: 1, kind: 'awaited', at, clause, hasCome: at > 0 };
      });
      const [said] = withPassing([], lines, { inPassing: [clause] }, { seed: 1 });
      expect(said).toMatchObject({ clause, result: { state: 'failed', cases: 100 } });
    });
  });

  describe('a clause whose checks lack what they need', () => {
    const lacking = { inPassing: [], lacking: [clause] } as const;

    test('fails where an answer that passed by breaks it', () => {
      const [said] = withPassing([], [miscoded(xml, 1)], lacking, { seed: 1 });
      expect(said).toMatchObject({ clause, result: { state: 'failed', inPassing: true } });
    });

    test('is not exercised by answers that keep it', () => {
      const result = { name: 'a check', file: 'a', durationMs: 1, cases: 1, assertions: 1, state: 'passed' } as const;
      const other = { clause: 'echo.status', result } as const;
      const [said, ...more] = withPassing([other], [miscoded(xml, 1, 10009034)], lacking, { seed: 1 });
      expect(said).toMatchObject({ held: [] });
      expect(said?.seen).not.toHaveProperty(clause);
      expect(more).toEqual([]);
    });
  });

  describe('a clause whose checks a budget did not reach', () => {
    const unbought: CheckOutcome = {
      clause,
      result: {
        name: 'each of the nine retired paths gets 410 with 10009034',
        file: 'specs/retirement.spec.ts',
        state: 'not-exercised',
        reason: 'the budget of 150 requests for this run does not reach as far',
        trouble: 'settings',
        unbought: true,
        durationMs: 0,
        cases: 0,
        assertions: 0,
      },
    };
    const right = miscoded(xml, 1, 10009034);
    const statesWith = (own: readonly CheckOutcome[], lines: readonly RecordLine[]) =>
      withPassing(own, lines, { inPassing: [clause] }, { seed: 1 }).map(({ result }) => result.state);

    test('passes where the answers that others bought keep it', () => {
      expect(statesWith([unbought], [right])).toEqual(['not-exercised', 'passed']);
    });

    test('fails where one of them breaks it', () => {
      expect(statesWith([unbought], [right, miscoded(chave, 2)])).toEqual(['not-exercised', 'failed']);
    });

    test('is not exercised where none bears on it', () => {
      expect(statesWith([unbought], [])).toEqual(['not-exercised']);
    });

    test('is not exercised for an answer that passed by where it lacks more than a budget', () => {
      const { unbought: _, ...lacking } = unbought.result;
      expect(statesWith([{ clause, result: lacking }], [right])).toEqual(['not-exercised']);
    });
  });
});

describe('seen', () => {
  const over = [{ name: 'endpoint' as const, values: 3 }];

  test('what passed by is counted by records, and what no record shows by the cases of the checks', () => {
    const outcomes = [sampleOutcome('echo.a', { cases: 10, distinctCases: 8 }), sampleOutcome('echo.b', { cases: 5 })];
    expect(seenOf(outcomes, new Map([['echo.a', { right: 299, over }]]))).toEqual({
      'echo.a': { right: 299, wrong: 0, over, bound95: 0.00997 },
      'echo.b': { right: 5, wrong: 0, bound95: 0.451 },
    });
  });

  test('where checks made more cases than records tell of, their cases count', () => {
    const seen = seenOf([sampleOutcome('echo.a', { cases: 10 })], new Map([['echo.a', { right: 1, over: [] }]]));
    expect(seen['echo.a']).toMatchObject({ right: 10 });
  });

  test('a record that breaks a clause counts, whatever its checks came to', () => {
    const tally = { right: 99, records: new Set([7]), over: [] };
    const seen = seenOf([sampleOutcome('echo.a', { cases: 1000 })], new Map([['echo.a', tally]]));
    expect(seen['echo.a']).toEqual({ right: 99, wrong: 1, bound95: 0.0466 });
  });

  test('a check that failed by what no single record shows counts as wrong, beside the records that are right', () => {
    const failed = sampleOutcome('echo.a', { state: 'failed', cases: 1 });
    expect(seenOf([failed], new Map([['echo.a', { right: 99, over }]]))['echo.a']).toMatchObject({
      right: 99,
      wrong: 1,
    });
  });

  test('a check that was not exercised says nothing', () => {
    expect(seenOf([sampleOutcome('echo.a', { state: 'not-exercised', cases: 0 })], new Map())).toEqual({});
  });
});
