import { describe, expect, test } from 'vitest';
import { assuranceOf, isWithheldWithoutLeave, catalogue, isJudged } from '../contract/catalogue.ts';
import { type Clause, assuranceLevels, type AssuranceLevel } from '../contract/clause.ts';
import type { CheckResult, Results } from '../schemas/results.ts';
import { errorResults, judge } from './judge.ts';
import { sampleFacts, sampleFailure, sampleOutcome } from './testing/sample-run.ts';
import { verdictSentence } from './sentence.ts';
import { type Reach, levelBrief, levelSentence, sureSentences } from './levels.ts';

const judged = catalogue.filter(isJudged);
const open: Partial<CheckResult> = { state: 'not-exercised', reason: 'needs more' };
const sandbox = { ...sampleFacts, mayIssueForReal: false };

/** A run of the whole catalogue on a sandbox without leave: what its means can exercise holds, but for these clauses. */
function runAt(
  means: AssuranceLevel,
  others: Readonly<Record<string, Partial<CheckResult>>> = {},
  facts = {},
): Results {
  const isMet = (clause: Clause): boolean =>
    !isWithheldWithoutLeave(clause) && assuranceLevels.indexOf(assuranceOf(clause)) <= assuranceLevels.indexOf(means);
  const outcomes = judged.map((clause) => sampleOutcome(clause.id, others[clause.id] ?? (isMet(clause) ? {} : open)));
  return judge({ ...sandbox, ...facts }, catalogue, outcomes);
}

/** The must clauses of a level and those below it, what is withheld apart. */
function mustUpTo(level: AssuranceLevel): Clause[] {
  const rank = assuranceLevels.indexOf(level);
  return judged
    .filter((clause) => clause.level === 'must' && !isWithheldWithoutLeave(clause))
    .filter((clause) => assuranceLevels.indexOf(assuranceOf(clause)) <= rank);
}

const [anySecret] = mustUpTo('secret');
const anyCredentials = mustUpTo('credentials').find((clause) => assuranceOf(clause) === 'credentials');

test('how many requests no service answered is told where any was not, in both languages', () => {
  const run = (unanswered: number) => runAt('secret', {}, { requests: 2050, unanswered });
  expect(sureSentences(run(512)).at(-1)).toMatch(/^Not answered by the service were 512 of 2,050 requests: /);
  expect(sureSentences(run(512), 'pt-BR').at(-1)).toMatch(
    /^Sem resposta do serviço ficaram 512 de 2\.050 requisições: /,
  );
  expect(sureSentences(run(0)).join(' ')).not.toMatch(/Not answered/);
});

test('an App Secret that was refused to the end is told, in both languages, and not what a check was to find', () => {
  const refused = (requests: number) => ({ code: 10_009_002, requests, since: '2026-12-01T03:28:01.000Z' });
  const told = (requests: number, language?: 'pt-BR') =>
    sureSentences(runAt('secret', {}, { refused: refused(requests) }), language).join(' ');
  expect(told(1200)).toMatch(/Since 2026-12-01 03:28:01 UTC no request .* and 1,200 were refused with code 10009002/);
  expect(told(1200, 'pt-BR')).toMatch(/Desde 2026-12-01 03:28:01 UTC nenhuma .* 1\.200 foram recusadas/);
  expect(told(19)).not.toMatch(/no request/);
});

test('a time of answers that came at no other is told, in both languages', () => {
  const [from, to] = ['2026-12-01T03:22:27.912Z', '2026-12-01T03:22:47.872Z'];
  const told = (isPage: boolean, language?: 'pt-BR') => {
    const spell = { from, to, status: 200, answers: 1206, of: 1210, ...(isPage ? { isPage: true as const } : {}) };
    return sureSentences(runAt('secret', {}, { spell }), language).at(-1);
  };
  expect(told(true)).toMatch(
    /^From 2026-12-01 03:22:27 UTC to 2026-12-01 03:22:47 UTC, and at no other time, 1,206 of 1,210 answers were a page with status 200:/,
  );
  expect(told(false)).toContain('answers had status 200:');
  expect(told(true, 'pt-BR')).toContain('1.206 de 1.210 respostas foram uma página com status 200:');
});

test('invoices that never settled are told, in both languages', () => {
  const told = (invoices: number, language?: 'pt-BR') =>
    sureSentences(runAt('secret', {}, { unsettled: { invoices, of: 57, waitedMs: 8_012, slowestMs: 310 } }), language);
  expect(told(3).at(-1)).toMatch(
    /^Still AguardandoAutorizacao when last asked for were 3 of 57 invoices, up to 8\.0 s after issuance; the others had settled within 310 ms:/,
  );
  expect(told(1).at(-1)).toContain('was 1 of 57 invoices');
  expect(told(3, 'pt-BR').at(-1)).toContain(
    'estavam 3 de 57 notas, até 8,0 s após a emissão; as outras tiveram desfecho em até 310 ms:',
  );
});

describe.each(assuranceLevels)('with the means of level %s', (means) => {
  const results = runAt(means);
  const all = mustUpTo(means).length;

  test('exactly that level is complete, and each counts the must clauses below it, too', () => {
    expect(results.level?.complete).toBe(means);
    expect(results.level?.reached).toEqual(
      assuranceLevels.map((name) => {
        const own = mustUpTo(name).length;
        return { name, exercised: Math.min(own, all), of: own };
      }),
    );
  });

  test.each([
    ['that is not exercised', open],
    ['that does not hold', sampleFailure],
  ])('one must clause of level secret %s leaves no level complete', (_, result) => {
    expect(runAt(means, { [anySecret?.id ?? '']: result }).level?.complete).toBeNull();
  });

  test('clauses that are no must clauses count for none', () => {
    const others = judged.filter(({ level }) => level !== 'must').map(({ id }) => [id, open] as const);
    expect(runAt(means, Object.fromEntries(others)).level).toEqual(results.level);
  });
});

test('a known deviation does not hold, so that its level is not complete', () => {
  const id = anyCredentials?.id ?? '';
  const { level, clauses } = runAt('control', { [id]: sampleFailure }, { knownDeviations: { [id]: 'TICKET-1' } });
  expect(clauses.find((clause) => clause.id === id)?.verdict).toBe('known');
  const { length } = mustUpTo('credentials');
  expect(level).toMatchObject({ complete: 'secret', reached: [{}, { exercised: length, of: length }, {}, {}] });
});

describe('what might issue for real', () => {
  const withheld = judged.filter(isWithheldWithoutLeave).map(({ id }) => id);
  const verdicts = ({ clauses }: Results) =>
    clauses.filter(({ id }) => withheld.includes(id)).map(({ verdict }) => verdict);

  test('is withheld on a sandbox without leave, and keeps nothing from being conformant', () => {
    const results = runAt('control');
    expect(new Set(verdicts(results))).toEqual(new Set(['withheld']));
    expect(results).toMatchObject({ verdict: 'conformant', counts: { withheld: withheld.length, notExercised: 0 } });
    expect(verdictSentence(results)).toMatch(/^Conformant: all \d+ must clauses passed, 1 was withheld, on /);
  });

  test('says what lifts it', () => {
    const { clauses } = runAt('control');
    for (const { reason } of clauses.filter(({ verdict }) => verdict === 'withheld')) {
      expect(reason).toMatch(/^it might issue a real invoice, .*: set NFE_ALLOW_PRODUCAO, or NFE_CONTROL_URL with /);
    }
  });

  test('is not exercised, and leaves a run incomplete, where leave was given', () => {
    const results = runAt('control', {}, { mayIssueForReal: true });
    expect(new Set(verdicts(results))).toEqual(new Set(['not-exercised']));
    expect(results).toMatchObject({ verdict: 'incomplete', counts: { withheld: 0 }, level: { complete: 'secret' } });
  });
});

test('a run of a part says nothing of levels, nor does one that ended in an error', () => {
  expect(runAt('control', {}, { filter: '--topic echo' })).not.toHaveProperty('level');
  expect(errorResults(sandbox, 'ECONNREFUSED', 'network')).not.toHaveProperty('level');
});

test('a run without any must clause to judge says nothing of levels', () => {
  const implied = judged.filter(({ level }) => level === 'implied');
  const results = judge(
    sandbox,
    implied,
    implied.map(({ id }) => sampleOutcome(id)),
  );
  expect(results).not.toHaveProperty('level');
});

function reach(complete: Reach['complete'], ...counts: readonly (readonly [number, number])[]): Reach {
  const names = ['secret', 'credentials', 'receiver', 'control'] as const;
  return {
    complete,
    reached: names.map((name, index) => {
      const [exercised, of] = counts[index] ?? [140, 1254];
      return { name, exercised, of };
    }),
  };
}

test.each([
  [
    reach('secret', [83, 83], [140, 150]),
    'Level secret complete: all 83 must clauses that it can exercise hold; level credentials: 140 of 150 exercised.',
    'Nível secret completo: todas as 83 cláusulas obrigatórias que ele pode exercitar são cumpridas; nível credentials: 140 de 150 exercitadas.',
  ],
  [
    reach('control', [1, 1], [1, 1], [1, 1], [1254, 1254]),
    'Level control complete: all 1,254 must clauses that it can exercise hold.',
    'Nível control completo: todas as 1.254 cláusulas obrigatórias que ele pode exercitar são cumpridas.',
  ],
  [
    reach(null, [1, 83]),
    'No level complete; level secret: 1 of 83 exercised.',
    'Nenhum nível completo; nível secret: 1 de 83 exercitada.',
  ],
  [
    reach('secret', [1, 1], [150, 150]),
    'Level secret complete: the one must clause that it can exercise holds; level credentials: all 150 exercised, not all hold.',
    'Nível secret completo: a única cláusula obrigatória que ele pode exercitar é cumprida; nível credentials: todas as 150 exercitadas, nem todas cumpridas.',
  ],
])('the sentence says which level is complete and how far the next one is: %j', (level, english, portuguese) => {
  expect(levelSentence(level)).toBe(english);
  expect(levelSentence(level, 'pt-BR')).toBe(portuguese);
});

test('in a few words it is the level that is complete, or how far the first one is', () => {
  expect(levelBrief(reach('receiver'))).toBe('level receiver complete');
  expect(levelBrief(reach(null, [80, 83]))).toBe('level secret: 80 of 83 exercised');
});
