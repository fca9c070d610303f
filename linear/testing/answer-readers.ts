import { retiredEndpoints } from '../../contract/endpoints.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { deliveryFault } from '../../client/verify-delivery.ts';
import { isHttpUrl, xmlLinkIn } from '../../contract/values.ts';
import { alterations, chaveIn } from '../../generators/xml-documents.ts';
import { namesReplacement } from '../../judge/retirement.ts';
import { readAnswer, obstacleIn } from '../../runner/preflight/answer.ts';
import { datedSkew, statedSkew } from '../../runner/preflight/clock.ts';
import { judgeEcho } from '../../runner/preflight/echo.ts';
import { memberText, said } from '../../runner/preflight/profile-tries.ts';
import { deliveryLine } from '../../desk/receiver/receiver-lines.ts';
import { errorEnvelope, retiredEnvelope, successEnvelope, echoData, errorArray } from '../../schemas/messages.ts';
import { mergeShapes, shapeOf } from '../../schemas/observed.ts';
import { validator } from '../../schemas/validate.ts';
import { messageOf, stableWords } from '../../specs/kit/texts.ts';
import { isAccepted, isEnveloped, jsonBody, memberNames, summary } from '../../specs/kit/reply.ts';
import { withShape } from '../../specs/kit/exchanges.ts';
import { signatureFault } from '../../trace/delivery-signature.ts';
import { secretsReceived, withoutLinkTokens } from '../../trace/links.ts';
import { secretMatcher } from '../../trace/secrets/matcher.ts';
import type { Reader } from './growth.ts';
import { authorisedInvoice, authorisedResult, deniedResult, unauthorisedInvoice } from '../../schemas/invoice.ts';
import { descriptionFields, explainedVerdict, validatedVerdict, verdictEvent } from '../../schemas/verdict.ts';

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
export const bodyReaders: readonly Reader[] = [
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
export const maskReaders: readonly Reader[] = [
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
export const textReaders: readonly Reader[] = [
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
