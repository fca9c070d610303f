import { describe, expect, test } from 'vitest';
import { growthFaults, escapedTexts, hostileBodies, hostileTexts, type Reader } from './testing/growth.ts';
import { compareResults, comparisonLines } from '../reports/compare.ts';
import { ctrfReport } from '../reports/ctrf.ts';
import { historyLineOf } from '../reports/history.ts';
import { htmlReport } from '../reports/html.ts';
import { firstDifference, isLookAlike } from '../reports/html/difference.ts';
import { blockOf, leastRoom, lineOf } from '../reports/html/words.ts';
import { exactLine, exactText, exactTextOf, markup } from '../reports/html/markup.ts';
import { junitReport } from '../reports/junit.ts';
import { summaryMarkdown } from '../reports/markdown.ts';
import { fits, noFilter, searchable } from '../reports/page/state.ts';
import { commentText, literal, repeatScript } from '../reports/repeat/script.ts';
import { hostileResults, sampleExchange } from '../reports/testing/sample-run.ts';
import { summaryLines } from '../reports/terminal.ts';
import { asJson, doctorLines } from '../desk/doctor-lines.ts';
import { inPortuguese } from '../runner/portuguese/in-portuguese.ts';
import { judgeControlFailure } from '../runner/preflight/session.ts';
import { problem } from '../runner/preflight/finding.ts';
import { wayOf, wayText } from '../schemas/finding.ts';
import { modelOf } from '../reports/model.ts';
import { retiredEndpoints } from '../contract/endpoints.ts';
import type { Exchange } from '../trace/exchange.ts';
import { deliveryFault } from '../client/verify-delivery.ts';
import { chaveIn, isHttpUrl, xmlLinkIn } from '../contract/values.ts';
import { alterations } from '../generators/nfe-documents.ts';
import { namesReplacement } from '../judge/retirement.ts';
import { readAnswer, obstacleIn } from '../runner/preflight/answer.ts';
import { judgeEcho } from '../runner/preflight/echo.ts';
import { memberText, said } from '../runner/preflight/profile-tries.ts';
import { deliveryLine } from '../desk/receiver.ts';
import { errorEnvelope, retiredEnvelope, successEnvelope, echoData, errorArray } from '../schemas/messages.ts';
import { mergeShapes, shapeOf } from '../schemas/observed.ts';
import { validator } from '../schemas/validate.ts';
import { messageOf, stableWords } from '../specs/kit/texts.ts';
import { isAccepted, isEnveloped, jsonBody, memberNames, summary } from '../specs/kit/reply.ts';
import { withShape } from '../specs/kit/exchanges.ts';
import { signatureFault } from '../trace/delivery-signature.ts';
import { secretMatcher } from '../trace/secrets/matcher.ts';
import { authorisedInvoice, authorisedResult, deniedResult, unauthorisedInvoice } from '../schemas/invoice.ts';
import { descriptionFields, explainedVerdict, validatedVerdict, verdictEvent } from '../schemas/verdict.ts';
import { secretsReceived, withoutLinkTokens } from '../trace/links.ts';
import { shortened, visible } from '../reports/visible.ts';
import { caseBlock } from '../reports/html/case.ts';
import { datedSkew, statedSkew } from '../runner/preflight/clock.ts';

const address = 'https://api.example';
/** Secrets that are like what the texts repeat, so that parts of them are found everywhere. */
const { hide } = secretMatcher(
  ['3f9a8c1b2d4e5f60718293a4b5c6d7e8', 'aA'.repeat(40), '\\u0061'.repeat(8), '0'.repeat(24)].map((secret) => ({
    secret,
    stand: '$S',
  })),
);

/** An answer with that body, and in each header that is read that value. */
function exchangeOf(body: string, header = 'application/json', status = 200): Exchange {
  const parts = { token: 'token', path: '/openapi/demo/echo', body: Buffer.alloc(0), timestamp: '0' };
  const headers = ['Content-Type', 'Date', 'Location', 'WWW-Authenticate'].map((name) => [name, header] as const);
  const request = { method: 'POST', target: parts.path, headers: [], parts };
  return { request, response: { status, headers, rawBody: Buffer.from(body) }, durationMs: 1 };
}

/** An object with the text in every field that some schemas name. */
function inEveryField(schemas: readonly { readonly properties?: object }[], text: string): object {
  const names = schemas.flatMap(({ properties = {} }) => Object.keys(properties));
  return Object.fromEntries(names.map((name) => [name, text]));
}

const envelopes = [errorEnvelope, retiredEnvelope, successEnvelope, echoData, errorArray];
const faultsOfEnvelopes = envelopes.map((schema) => validator(schema));
const objects = [
  authorisedInvoice,
  unauthorisedInvoice,
  authorisedResult,
  deniedResult,
  validatedVerdict,
  explainedVerdict,
  verdictEvent,
];
const faultsOfObject = objects.map((schema) => validator(schema));

function faultsOfObjects(text: string): unknown {
  const whole = inEveryField(objects, text);
  return faultsOfObject.map((faultsOf) => faultsOf(whole));
}

/** What an answer goes through whose body is the text. */
const bodyReaders: readonly Reader[] = [
  { name: 'the shape of a body', read: (text) => mergeShapes(shapeOf(Buffer.from(text)), shapeOf(Buffer.from('{}'))) },
  { name: 'the shapes of answers', read: (text) => withShape(withShape([], exchangeOf(text)), exchangeOf(text)) },
  { name: 'what an answer came to', read: (text) => [summary(exchangeOf(text)), isAccepted(exchangeOf(text))] },
  {
    name: 'the members of a body',
    read: (text) => [isEnveloped(jsonBody(exchangeOf(text))), memberNames(jsonBody(exchangeOf(text)))],
  },
  {
    name: 'the faults of an envelope',
    read: (text) => faultsOfEnvelopes.map((faultsOf) => faultsOf(jsonBody(exchangeOf(text)))),
  },
  { name: 'the faults of an event', read: (text) => descriptionFields(jsonBody(exchangeOf(text))) },
  { name: 'the link in a body', read: (text) => xmlLinkIn(jsonBody(exchangeOf(text))) },
  { name: 'an answer to the preflight', read: (text) => preflightReading(exchangeOf(text, 'text/html', 403)) },
  {
    name: 'an answer about the profile',
    read: (text) => [said(exchangeOf(text)), memberText(exchangeOf(text), 'a', 'a')],
  },
  { name: 'the signature of a delivery', read: (text) => deliveryReading(text, 'a') },
  { name: 'a document behind a link', read: (text) => [alterations(text), chaveIn(text)] },
];

/** What an answer goes through before anything of it is kept. */
const maskReaders: readonly Reader[] = [
  { name: 'the secrets in an answer', read: hide },
  { name: 'the links in an answer', read: (text) => withoutLinkTokens(`https://${text}`) },
  {
    name: 'what an answer lets in by',
    read: (text) =>
      secretsReceived(
        {
          headers: [
            ['Set-Cookie', `a=${text}`],
            ['Location', text],
          ],
          body: text,
        },
        '',
      ),
  },
];

/** What a text goes through that stands in an answer. */
const textReaders: readonly Reader[] = [
  { name: 'a page', read: (text) => preflightReading(exchangeOf(`<!-- ${text}`, 'text/html', 403)) },
  { name: 'the headers of an answer', read: (text) => preflightReading(exchangeOf('', text, 302)) },
  { name: 'the content type of a shape', read: (text) => withShape([], exchangeOf('{}', text)) },
  { name: 'the headers of a delivery', read: (text) => deliveryReading('{}', text) },
  {
    name: 'a message',
    read: (text) => messageOf(exchangeOf(JSON.stringify({ message: text, code: text, data: text }))),
  },
  { name: 'the replacement in a message', read: (text) => retiredEndpoints.map((one) => namesReplacement(text, one)) },
  { name: 'the words of a message', read: (text) => stableWords(text, text.slice(1)) },
  { name: 'the fields of an object', read: faultsOfObjects },
  {
    name: 'the fields of an envelope',
    read: (text) => faultsOfEnvelopes.map((faultsOf) => faultsOf(inEveryField([errorEnvelope, echoData], text))),
  },
  { name: 'a name in a body', read: (text) => shapeOf(Buffer.from(JSON.stringify({ [text]: text }))) },
  {
    name: 'a link',
    read: (text) => [isHttpUrl(`https://${text}`), xmlLinkIn({ [`xml${text}`]: `https://a/${text}` })],
  },
];

function preflightReading(exchange: Exchange): unknown {
  const answer = readAnswer(exchange);
  const asked = { answer, receivedMs: 0, durationMs: 1 };
  const obstacle = 'error' in answer ? undefined : obstacleIn(answer, address);
  return [obstacle, judgeEcho(answer, address), statedSkew(asked), datedSkew(asked)];
}

function deliveryReading(body: string, header: string): unknown {
  const names = ['Event', 'Event-Id', 'Delivery-Id', 'Timestamp', 'Signature'].map((name) => `X-Service-${name}`);
  const headers = names.map((name) => [name, header] as const);
  const arrival = {
    method: 'POST',
    target: '/',
    headers,
    rawBody: Buffer.from(body),
    isTooLarge: false,
    arrivedAtMs: 0,
  };
  const facts = { appSecret: 'secret', headerPrefix: 'X-Service', nowSeconds: 0, otherKeys: { other: 'key' } };
  const logged = { ...arrival, pathName: 'a', answeredStatus: 200 };
  return [signatureFault(arrival, facts), deliveryFault(arrival, facts), deliveryLine(logged, 'X-Service')];
}

/** What a text goes through that a run shows. */
const shownTextReaders: readonly Reader[] = [
  { name: 'a text that is cut', read: (text) => [blockOf(text, leastRoom).html, lineOf(text, leastRoom).html] },
  { name: 'one way to fail', read: (text) => wayText(wayOf({ endpoint: text, expected: text, actual: text })) },
  { name: 'a text in Portuguese', read: (text) => [inPortuguese(text), inPortuguese(text.slice(0, 700))] },
  { name: 'a finding', read: findingReading },
  { name: 'a failed control API', read: judgeControlFailure },
];

/** What a text is written by into a page or a file. */
const escapingReaders: readonly Reader[] = [
  { name: 'a visible text', read: (text) => [visible(text), visible(text, '\n'), shortened(text, 100)] },
  {
    name: 'a case in words',
    read: (text) => caseBlock(`{"flaw":${text}}`, { block: Number.POSITIVE_INFINITY, line: 500 }).html,
  },
  { name: 'the first difference', read: (text) => [firstDifference(text, `"${text}`), isLookAlike(text, `${text}a`)] },
  { name: 'a text in a page', read: (text) => markup`<p title="${text}">${text}</p>`.html },
  { name: 'an exact text', read: (text) => [exactText(text).html, exactLine(text).html] },
  { name: 'a text in a script', read: (text) => [literal(text), commentText(text)] },
  { name: 'a script', read: scriptOf },
];

/** What the page's own script does with a text. */
const pageReaders: readonly Reader[] = [
  { name: 'the search in the page', read: searchReading },
  {
    name: 'an exact text of the page',
    read: (text) =>
      exactTextOf([
        { text, isSpelt: true },
        { text, isSpelt: false },
      ]),
  },
];

/** What a run goes through in which every text is that one; a report holds many of them. */
const reportReaders: readonly Reader[] = [
  { name: 'the page', read: (text) => htmlReport(modelOf(runOf(text))) },
  { name: 'JUnit', read: (text) => junitReport(modelOf(runOf(text))) },
  { name: 'CTRF', read: (text) => ctrfReport(modelOf(runOf(text))) },
  { name: 'Markdown', read: (text) => summaryMarkdown(modelOf(runOf(text))) },
  { name: 'the terminal', read: (text) => summaryLines(modelOf(runOf(text)), { colour: true }) },
  { name: 'the history', read: (text) => historyLineOf(runOf(text), 'suite') },
  { name: 'the comparison', read: (text) => comparisonLines(compareResults(runOf(text), runOf(text.slice(1)))) },
  { name: 'the sentences', read: (text) => modelOf(runOf(text), { inPortuguese }).told },
];

const shareOfReport = 64;

function runOf(text: string): ReturnType<typeof hostileResults> {
  return hostileResults(text.slice(0, text.length / shareOfReport));
}

function scriptOf(text: string): string {
  const { durationMs } = sampleExchange();
  const request = { method: text, target: text, headers: [['token', text] as [string, string]] };
  const facts = { baseUrl: text, clause: text, expected: text, actual: text, replay: text };
  return repeatScript([{ kind: 'call', evidence: { request, durationMs } }], facts);
}

function findingReading(text: string): unknown {
  const findings = [problem(text, `${text}: ${text}`, text)];
  return [doctorLines(findings, true, inPortuguese), asJson(findings, undefined)];
}

function searchReading(text: string): boolean {
  const item = { verdict: 'failed', level: 'must', topic: 'echo', words: searchable(text) };
  return fits({ ...noFilter, text: text.slice(0, 100) })(item);
}

const groups = [
  { what: 'the body of an answer', readers: bodyReaders, texts: [...hostileTexts, ...hostileBodies] },
  { what: 'what is masked', readers: maskReaders, texts: escapedTexts },
  { what: 'a text within an answer', readers: textReaders, texts: hostileTexts },
  { what: 'a text that is shown', readers: shownTextReaders, texts: hostileTexts },
  { what: 'a text that is escaped', readers: escapingReaders, texts: escapedTexts },
  { what: 'a text in the page', readers: pageReaders, texts: escapedTexts },
  { what: 'a run full of a text', readers: reportReaders, texts: escapedTexts },
];

describe.each(groups)('$what', ({ readers, texts }) => {
  test.each(readers)('takes time in proportion to its length: $name', (reader) => {
    expect(growthFaults(reader, texts)).toEqual([]);
  });
});

describe('a reader', () => {
  /** So much of a text that the square of its length is no long time, of a megabyte as well, where that of half of it takes hours. */
  const partOf = (text: string): string => text.slice(0, Math.min(text.length / 2, 16_384));
  /** Reckons for about a tenth of a second with a text of 16,384 characters. It asks nothing of the system, whose time is not counted. */
  const work = ({ length }: string): number => {
    let sum = 0;
    for (let one = 0; one < length; one += 1)
      for (let other = 0; other < length; other += 2) sum = (sum + one * other) | 0;
    return sum;
  };
  const spaces = hostileTexts.filter(({ name }) => name === '" "');

  test('that takes time with the square of the length is found', () => {
    const isFound = (): boolean =>
      growthFaults({ name: 'it', read: (text) => work(partOf(text)) }, spaces).length === 1;
    // A machine that is slow for a moment hides growth: that accuses nobody, and is no growth that is passed over.
    expect([1, 2, 3].some(isFound)).toBe(true);
  });

  test('that takes time in proportion to the length is passed over', () => {
    const read = (text: string): unknown => text.split('').map((one) => one.charCodeAt(0));
    expect(growthFaults({ name: 'it', read }, spaces)).toEqual([]);
  });
});
