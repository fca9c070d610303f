import { modelOf } from './model.ts';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { htmlReport } from './html.ts';
import { errorResults, judge } from './judge.ts';
import {
  hostileResults,
  hostileText,
  sampleFacts,
  sampleOutcome,
  sampleResults,
  sampleExchange,
  sampleFailure,
} from './testing/sample-run.ts';
import { catalogue, isJudged } from '../contract/catalogue.ts';
import type { CheckResult, Results } from '../schemas/results.ts';
import { pageScript, scriptHash, scriptText } from './html/frame.ts';
import { blockOf, lineOf, spellingNote } from './html/words.ts';
import { exactText } from './html/markup.ts';
import { exchangeDetails } from './html/exchange.ts';

interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: readonly string[];
}

/** The tags of a page as a browser would meet them: a `<` before a letter or a slash opens one. */
function tagsOf(page: string): Tag[] {
  const body = page.replace(/<style>.*?<\/style>/s, '').replace('<!doctype html>', '');
  return [...body.matchAll(/<(\/?)([a-z][^\s/>]*)([^>]*)>/gi)].map(([, slash, name = '', rest = '']) => ({
    name,
    isEnd: slash === '/',
    attributes: [...rest.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)].map(([, attribute = '']) => attribute),
  }));
}

/** Names of the elements that are not closed in the order in which they were opened. */
function unbalanced(tags: readonly Tag[]): string[] {
  const open: string[] = [];
  const faults: string[] = [];
  for (const { name, isEnd } of tags) {
    if (name === 'meta' || name === 'input') continue;
    if (!isEnd) open.push(name);
    else if (open.pop() !== name) faults.push(name);
  }
  return [...faults, ...open];
}

const page = htmlReport(modelOf(sampleResults()));

describe('the page', () => {
  test('is in English and forbids script, connection, form and other addresses', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).toContain(
      '<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; script-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;">',
    );
  });

  test('allows its own script alone, by its hash', () => {
    const scripted = htmlReport(modelOf(sampleResults()), { script: 'document.title = 1' });
    const hash = createHash('sha256').update('document.title = 1').digest('base64');
    expect(scripted).toContain(`script-src &#39;sha256-${hash}&#39;`);
    expect(scripted.match(/<script/g)).toHaveLength(1);
  });

  test('loads nothing: no address in its style, no element that fetches', () => {
    expect(page).not.toMatch(/url\(|@import/);
    const names = new Set(tagsOf(page).map((tag) => tag.name));
    for (const name of ['script', 'img', 'link', 'iframe', 'object', 'svg', 'base']) expect(names).not.toContain(name);
  });

  test('links only within itself, to anchors that it has', () => {
    const anchors = [...page.matchAll(/\shref="([^"]*)"/g)].map(([, target = '']) => target);
    const ids = new Set([...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => `#${id}`));
    expect(anchors.length).toBeGreaterThan(10);
    expect(anchors.filter((target) => !ids.has(target))).toEqual([]);
  });

  test('uses no id twice and names its regions by headings that it has', () => {
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const labels = [...page.matchAll(/aria-labelledby="([^"]*)"/g)].map(([, id]) => id);
    expect(labels.filter((id) => !ids.includes(id))).toEqual([]);
  });
});

describe('text from a hostile target', () => {
  const hostile = htmlReport(modelOf(hostileResults(), { baseline: hostileResults() }));

  test('adds no element and no attribute to those of a harmless page', () => {
    const known = new Set(tagsOf(page).map((tag) => tag.name));
    const attributes = new Set(tagsOf(page).flatMap((tag) => tag.attributes));
    expect(tagsOf(hostile).filter((tag) => !known.has(tag.name))).toEqual([]);
    expect(tagsOf(hostile).flatMap((tag) => tag.attributes.filter((name) => !attributes.has(name)))).toEqual([]);
    expect(unbalanced(tagsOf(hostile))).toEqual([]);
    expect(hostile.split('onerror')).toHaveLength(hostile.split('&#60;img src=x onerror').length);
  });

  test('leaves no control character, direction mark or lone surrogate in the page', () => {
    expect(hostileText).toMatch(/[\p{Cf}\p{Cs}]/u);
    expect(hostile).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
  });
});

const largestPageBytes = 5_000_000;
const clauses = catalogue.filter(isJudged);

/** A run over the whole catalogue in which every check comes to the same. */
function runOf(...checks: readonly Partial<CheckResult>[]): Results {
  const outcomes = clauses.flatMap(({ id }) => checks.map((check) => sampleOutcome(id, check)));
  return judge(sampleFacts, clauses, outcomes);
}

/** A failure of its own, which no other one blocks. */
const failure = { ...sampleFailure, inPassing: true } as const;
const longFinding = (length: number) => {
  const text = '<'.repeat(length);
  return { ...sampleFailure.error, expected: text, actual: text };
};
const error = longFinding(1_500);
const counterexample = '\r\t'.repeat(500);

describe('a page stays below 5 MB and tells of every clause', () => {
  test.each([
    ['fails in two checks with long findings', [0, 1].map(() => ({ ...failure, error, counterexample }))],
    ['is not exercised for a long reason', [{ state: 'not-exercised', reason: '<'.repeat(20_000) }]],
    ['passes in part and has a long reason', [{}, { state: 'not-exercised', reason: '<'.repeat(20_000) }]],
    ['was disturbed with long texts', [{ flaky: ['<'.repeat(400_105)] }]],
  ] satisfies [string, Partial<CheckResult>[]][])('where each %s', (_, checks) => {
    const page = htmlReport(modelOf(runOf(...checks)));
    expect(Buffer.byteLength(page)).toBeLessThan(largestPageBytes);
    expect(page.match(/<tr id="clause-/g)).toHaveLength(clauses.length);
    expect(page).toMatch(/… the first [\d,]+ of [\d,]+ characters; the others are in results\.json/);
  });

  test('of an error with a long message', () => {
    const page = htmlReport(modelOf(errorResults(sampleFacts, '<'.repeat(2_000_000), 'suite')));
    expect(Buffer.byteLength(page)).toBeLessThan(largestPageBytes);
    expect(page).toContain('of 2,000,000 characters; the others are in results.json');
  });
});

test('a finding of a few hundred characters is whole, however many failures have one', () => {
  const finding = { ...sampleFailure.error, expected: 'x'.repeat(600), actual: '<'.repeat(100) };
  const page = htmlReport(modelOf(runOf({ ...failure, error: finding, counterexample: 'y'.repeat(600) })));
  expect(page).not.toContain('characters; the others are in results.json');
});

test('a single long finding is whole, and long ones are shortened before evidence is left out', () => {
  const outcomes = clauses.map(({ id }, index) =>
    sampleOutcome(id, index === 0 ? { ...sampleFailure, error: longFinding(20_000) } : {}),
  );
  const page = htmlReport(modelOf(judge(sampleFacts, clauses, outcomes))).replaceAll(/<\/?mark>/g, '');
  expect(page).toContain(`${'&#60;'.repeat(10_000)}<`);
  const flooded = htmlReport(modelOf(runOf({ ...failure, error, exchanges: [sampleExchange()] })));
  expect(flooded.match(/<details class="exchange" id="[^"]+" open>/g)?.length).toBeGreaterThan(100);
});

const script = await pageScript();

test('the script is one text that a page can hold', () => {
  expect(script).toMatch(/^\(function\(\)\{.*\}\)\(\);$/s);
  expect(script).not.toMatch(/<\/script|<!--|\bimport\b|\brequire\(/i);
  expect(script.length).toBeLessThan(40_000);
});

test.each(['</script>', '</SCRIPT x', '<!--', '<script', '\r'])('a script with %j in it is refused', (trap) => {
  expect(() => scriptText(`f(\`${trap}\`)`)).toThrow(/which a page can't hold/);
});

test('the hash is that of the bytes of the script', () => {
  const bytes = Buffer.from('f("ç")', 'utf8');
  expect(scriptHash('f("ç")')).toBe(`sha256-${createHash('sha256').update(bytes).digest('base64')}`);
});

const room = { block: 100, line: 50 };

test('a longer one is shown as far as that, by its size in the page, and says so in both languages behind it', () => {
  expect(lineOf('<'.repeat(1_000), room).html).toBe(
    `${'&#60;'.repeat(10)} <span class="note cut"><span class="said">` +
      '<span lang="en">… the first 10 of 1,000 characters; the others are in results.json</span>' +
      '<span lang="pt-BR">… os primeiros 10 de 1.000 caracteres; os outros estão em results.json</span></span></span>',
  );
  expect(blockOf('é'.repeat(1_000), room).html).toMatch(
    /^<pre class="" tabindex="0">é{50}<\/pre> <span class="note cut">/,
  );
});

test('no character is cut in two', () => {
  expect(lineOf(`x${'😀'.repeat(100)}`, room).html).toMatch(/^x(?:😀){12} <span/);
  expect(lineOf('a\ud83d', room).html).toBe('a\\u{d83d}');
});

test('a text with something spelt out says that a copy has the spelling', () => {
  expect(spellingNote(exactText('a\u0000'))?.html).toContain('such as <code>\\u{0}</code>: a copy has the spelling');
});

test('a text that copies exactly says nothing, whatever it spells itself', () => {
  expect(spellingNote(exactText('a\r\n\t\\u{0}<span class="spelt">'))).toBeUndefined();
});

test('a delivery shows what it was answered beyond a status', () => {
  const request = { method: 'POST', target: '/here', headers: [] };
  const came = { request, received: true as const, durationMs: 1, answered: 400 };
  const answeredWith = { headers: [['content-type', 'application/json']], body: '{"success":true}' };
  const page = exchangeDetails({ ...came, answeredWith }, 1, true, 'x').html;
  expect(page).toMatch(/Our answer.*HTTP 400.*application\/json.*success/s);
  expect(exchangeDetails(came, 1, true, 'x').html).not.toContain('Our answer');
});
