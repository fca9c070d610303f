import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { htmlReport } from './html.ts';
import { errorResults, judge } from './judge.ts';
import {
  largeRun,
  hostileResults,
  hostileText,
  sampleClause,
  sampleFacts,
  sampleOutcome,
  sampleResults,
} from './testing/sample-run.ts';

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

const page = htmlReport(sampleResults());
const earlier = judge(
  { ...sampleFacts, startedAt: '2026-11-20T02:00:00.000Z' },
  [sampleClause('retirement.before-subscription'), sampleClause('echo.gone')],
  ['retirement.before-subscription', 'echo.gone'].map((id) => sampleOutcome(id)),
);

describe('the page', () => {
  test('is in English and forbids script, connection, form and other addresses', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).toContain(
      '<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; script-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;">',
    );
  });

  test('allows its own script alone, by its hash', () => {
    const scripted = htmlReport(sampleResults(), { script: 'document.title = 1' });
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

  test('has the landmarks, one first heading, and its tags closed in order', () => {
    const names = tagsOf(page)
      .filter((tag) => !tag.isEnd)
      .map((tag) => tag.name);
    for (const name of ['header', 'nav', 'main', 'footer', 'h1'])
      expect(names.filter((one) => one === name)).toHaveLength(1);
    expect(unbalanced(tagsOf(page))).toEqual([]);
  });

  test('shows failures before warnings, known deviations, all clauses, unexercised and unobservable ones', () => {
    const order = ['trust', 'failures', 'warnings', 'known', 'clauses', 'not-exercised', 'unobservable'].map((id) =>
      page.indexOf(`<section id="${id}"`),
    );
    expect(order.every((position) => position > 0)).toBe(true);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });
});

describe('a failure on the page', () => {
  const start = page.indexOf('<article class="clause failed"');
  const article = page.slice(start, page.indexOf('</article>', start));

  test('shows clause, section, statement, and expected beside actual, hint, counterexample and command', () => {
    const order = [
      'retirement.before-subscription',
      '4.3, ',
      'What retirement',
      '<mark>410</mark>, code',
      '<mark>403</mark>, code',
    ]
      .concat(['the subscription is checked', '/openapi/nfe/verify/xml', 'npm test -- --clause', 'process.env'])
      .map((part) => article.indexOf(part));
    expect(order.every((position) => position > 0)).toBe(true);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  test('shows the request with its line ends marked, the string to sign and the response', () => {
    expect(article).toContain(
      'POST /openapi/nfe/verify/xml\n<b>token</b>: $NFE_APP_SECRET_UNSUBSCRIBED\n<b>timestamp</b>',
    );
    expect(article).toContain('&#60;nfe&#62;<span class="mark" data-mark="\\r\\n">&#13;\n</span>  &#60;a&#62;á');
    expect(article).toMatch(/String to sign, by the contract<.*<span class="note">98 bytes<\/span>/);
    expect(article).toMatch(/HTTP 403\n<b>Content-Type<\/b>: application\/json/);
    expect(article).toContain('Endpoint não subscrito');
  });

  test('says in both languages how much its check did', () => {
    expect(article).toMatch(/>1 case<.*>1 caso<.*>3 assertions<.*>3 asserções<.*, 12 ms, .*20\d{6}T\d{6}Z-\d+<\/p>/);
  });
});

describe('all clauses', () => {
  test.each([
    ['echo.passed', '✓', 'passed', '1 of 2'],
    ['retirement.before-subscription', '✗', 'failed', '1'],
    ['echo.known', '◇', 'known', '1'],
    ['echo.warned', '!', 'warned', '1'],
    ['echo.open', '○', 'not exercised', '0 of 1'],
    ['echo.unseen', '–', 'unobservable', '0'],
  ])('have %s with its verdict in sign and word and its checks', (id, sign, word, checks) => {
    const row = page.slice(page.indexOf(`<tr id="clause-${id}"`)).split('</tr>')[0];
    expect(row).toContain(`<span aria-hidden="true">${sign}</span> <span class="said"><span lang="en">${word}</span>`);
    expect(row).toMatch(new RegExp(`<td>(<span class="said"><span lang="en">)?${checks}<`));
  });

  test('name the unexercised and the flaky checks of a passed clause', () => {
    expect(page).toMatch(/Not exercised<.*: the other half \(needs a receiver\)/);
    expect(page).toMatch(/Flaky<.*“the rule of echo.passed holds” .*came to<.* failed, passed\./);
  });
});

describe('what changed', () => {
  test('is told with a baseline, or else that no earlier run is known', () => {
    expect(page).toMatch(/What changed<.*No earlier run of the same on this target is known/s);
    const compared = htmlReport(sampleResults(), { baseline: earlier });
    expect(compared).toMatch(/Compared with the run of<.* 2026-11-20 02:00:00 UTC/);
    expect(compared).toMatch(
      /Newly failed<.*: 2<.*#clause-retirement\.before-subscription.*Fixed<.*: 0<.*Stopped running<.*: 1<.*echo\.gone/s,
    );
    expect(compared).toMatch(/<code>echo.gone<\/code> .*is no longer in the catalogue/);
  });

  test('is nothing between two equal runs', () => {
    expect(htmlReport(sampleResults(), { baseline: sampleResults() })).toContain(
      'Nothing: every clause that both runs',
    );
  });

  test('is not told of a run that ended in an error', () => {
    const error = errorResults(sampleFacts, 'ECONNREFUSED', 'network');
    expect(htmlReport(sampleResults(), { baseline: error })).toContain('nothing is compared with it');
    expect(htmlReport(error, { baseline: earlier })).toContain('This run ended in an error, so it is not compared');
  });
});

test('an error run shows its message and no table', () => {
  const error = htmlReport(errorResults(sampleFacts, 'ECONNREFUSED\nat once', 'network'));
  expect(error).toMatch(/<h2 id="error-heading">.*ECONNREFUSED<span class="mark" data-mark="\\n">\n<\/span>at once/s);
  expect(error).not.toContain('<table');
});

test('each fact of the run stands in one place: what the verdict rests on in the strip, the others in the footer', () => {
  const strip = page.slice(page.indexOf('<section id="trust"'), page.indexOf('<section id="failures"'));
  const footer = page.slice(page.indexOf('<footer'), page.indexOf('</footer>'));
  for (const fact of ['sandbox, http://127.0.0.1:8080', 'simulator 0.1.0', '1729', '12,345', '12.345']) {
    expect(strip).toContain(fact);
    expect(footer).not.toContain(fact);
  }
  for (const fact of ['2026-11-21 02:00:00 UTC', '1 min 23 s', 'profiles/default']) {
    expect(strip).not.toContain(fact);
    expect(footer).toContain(fact);
  }
});

describe('text from a hostile target', () => {
  const hostile = htmlReport(hostileResults(), { baseline: hostileResults() });

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

test('a page of 2,000 checks stays below 5 MB and shows the deciding exchange of every failure', () => {
  const large = htmlReport(largeRun());
  expect(Buffer.byteLength(large)).toBeLessThanOrEqual(5_000_000);
  expect(large.match(/<div class="repeat">/g)).toHaveLength(500);
  expect(large.match(/<details class="exchange" id="[^"]+" open>/g)).toHaveLength(500);
});
