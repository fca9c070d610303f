import type { ClauseId } from './catalogue.ts';

/** How a doubtful place of the contract is read, and the clauses whose verdict hangs on it. */
export interface Reading {
  /** By which the code and the documents refer to it. */
  readonly number: number;
  readonly text: string;
  readonly clauses: readonly ClauseId[];
}

/** Where the contract can be read in several ways, the suite accepts each that its words allow; this is what it demands nevertheless. */
export const readings: readonly Reading[] = [
  {
    number: 1,
    text: 'Of several faults the answer is the 401 first, then the 410, the 403 and the 429, and only then what the endpoint says.',
    clauses: [
      'precedence.401-before-410',
      'precedence.401-before-403',
      'precedence.410-before-403',
      'precedence.410-before-429',
      'precedence.401-before-429',
      'precedence.403-before-429',
      'precedence.gateway-before-endpoint',
    ],
  },
  {
    number: 2,
    text: 'A retired path answers a correctly signed request with 410 to whomever it belongs: neither state nor subscriptions turn that into a 403.',
    clauses: [
      'retirement.before-subscription',
      'retirement.before-disabled-application',
      'retirement.before-pending-application',
      'retirement.before-rejected-application',
      'retirement.before-disabled-integrator',
    ],
  },
  {
    number: 4,
    text: 'A timestamp may be off by 300 seconds and not by 301. That edge is tried where a clock stands still; elsewhere five seconds are left on either side of it, on the clock that echo tells.',
    clauses: [
      'timestamp.past-accepted',
      'timestamp.future-accepted',
      'timestamp.past-refused',
      'timestamp.future-refused',
    ],
  },
  {
    number: 5,
    text: 'A timestamp is a plain decimal count of seconds. Words and milliseconds are refused with 10009001; of signs, fractions and leading zeros that is only implied.',
    clauses: ['timestamp.text-refused', 'timestamp.milliseconds-refused', 'timestamp.plain-decimal'],
  },
  {
    number: 6,
    text: 'CR and LF go out of the body before it is hashed, wherever they stand, and nothing else does. Of bytes that are no UTF-8 nobody can say how they are signed: whoever signs them otherwise is not accused.',
    clauses: ['signature.line-breaks-removed', 'signature.nothing-else-removed', 'signature.xml-line-breaks'],
  },
  {
    number: 7,
    text: 'The path is signed as it stands on the request line, and its query is not.',
    clauses: ['signature.path-as-sent', 'signature.query-not-signed'],
  },
  {
    number: 8,
    text: 'The body of a multipart request is signed as an empty one, whatever the parts hold.',
    clauses: ['signature.body-empty-for-multipart'],
  },
  {
    number: 9,
    text: 'A scope lets every method of its path pass, echo needs one like any endpoint, and {xx} stands for one segment.',
    clauses: [
      'subscription.own-scope-grants',
      'subscription.own-scope-missing',
      'subscription.any-segment',
      'subscription.whole-path',
    ],
  },
  {
    number: 11,
    text: 'Only the English text of a 410 is fixed. Of other texts it is compared whether they differ as the language that was asked for does, without ids, times and digits; two languages may share a text here and there.',
    clauses: [
      'retirement.english-text',
      'retirement.replacement-in-every-language',
      'retirement.message-language',
      'language.language-header',
      'language.accept-language-header',
      'language.portuguese-by-default',
      'envelope.message-language',
    ],
  },
  {
    number: 13,
    text: 'Of the endpoints echo alone puts its answer into the platform envelope.',
    clauses: [
      'empresa-registration.bare',
      'certificado-association.bare',
      'nfe-query.bare-object',
      'echo.platform-envelope',
    ],
  },
  {
    number: 14,
    text: 'Where no content is promised, status 200 with a body of no bytes is meant.',
    clauses: [
      'nfe-issuance.status-200',
      'nfe-issuance.no-content',
      'nfe-cancellation.status-200',
      'nfe-cancellation.empty-body',
    ],
  },
  {
    number: 15,
    text: 'An id that an invoice of the company has is refused with 400 or 404 and the array of errors; that of another company is free. Ids of an unusual shape may be refused, and are found again where they are not; one with a control character may be lost to a server in front that turns such a path down.',
    clauses: ['nfe-issuance.id-unique-in-company', 'nfe-issuance.id-free-in-other-company', 'nfe-query.found-by-id'],
  },
  {
    number: 16,
    text: 'A link serves its document for ten minutes. It is tried after nine and after eleven; any 4xx says that it has expired.',
    clauses: [
      'nfe-query.xml-link-alive',
      'nfe-query.xml-link-expires',
      'nfe-query.danfe-link-alive',
      'nfe-query.danfe-link-expires',
      'issuance-callback.xml-link-alive',
      'issuance-callback.xml-link-expires',
    ],
  },
  {
    number: 17,
    text: '1,000,000 bytes are taken and more than 1,048,576 are not; what another body than a document may have is not shown, and above 16 KiB it may be refused with 413, before the gateway looks at it, too. The link to the XML is the field with xml in its name, linkDanfe apart, that holds an absolute http address, be it in an object of links; of several the one that is called a link, and of no event. One that is not available may be absent, null or empty.',
    clauses: [
      'nfe-verification.one-megabyte',
      'nfe-verification.too-large',
      'nfe-query.xml-link',
      'issuance-callback.xml-link',
    ],
  },
  {
    number: 18,
    text: 'What is not found gets 400 or 404 from issuance, query and cancellation, and any 4xx from the other endpoints but 401, 403, 410 and 429, which say something else, in the shape of its family. XML that is not well-formed, or names no chave, may get a 4xx or a verdict other than VALIDATED. That a chave nobody knows gets 10015004, an example of the contract, is implied, and so is that the XML behind a link is the NF-e as it was issued and authorised: whole, signed, with its protocol and its tpAmb.',
    clauses: [
      'nfe-query.unknown-id',
      'nfe-query.xml-link-serves-its-invoice',
      'nfe-cancellation.unknown-id',
      'nfe-cancellation.error-array',
      'nfe-issuance.error-array',
      'nfe-verification.malformed-refused',
      'nfe-verification.without-chave',
      'chave-lookup.unknown',
      'chave-lookup.unknown-code',
      'cnpj-lookup.unknown',
      'cpf-lookup.unknown',
      'issuance-callback.xml-of-the-invoice',
    ],
  },
  {
    number: 19,
    text: 'How deep a service looks into a document is not said. That one which was altered after it was signed, or whose signature does not hold, is not VALIDATED is only suggested, so a service that lets it pass is warned. By which algorithms, forms and certificates it may be signed is open.',
    clauses: ['nfe-verification.altered-not-validated', 'nfe-verification.signature-verified'],
  },
  {
    number: 20,
    text: 'A verdict gives a reason where it is REJECTED or VALIDATION_ERROR, and none where it is VALIDATED.',
    clauses: ['verdict-event.reason-when-rejected', 'verdict-event.no-reason-when-validated'],
  },
  {
    number: 21,
    text: 'A callback has all fourteen fields, and an empty text in those that have no value.',
    clauses: [
      'issuance-callback.all-fields',
      'issuance-callback.all-fields-when-denied',
      'issuance-callback.texts',
      'issuance-callback.fields-of-denial',
    ],
  },
  {
    number: 22,
    text: 'A time in UTC ends in Z or +00:00. Seconds of zero may be left out, and how many digits its fraction has is free, but for the three of serverTime; a comma before it and the basic format of ISO 8601 are as right.',
    clauses: [
      'echo.server-time-format',
      'verdict-event.occurred-at',
      'verdict-event.verified-at',
      'issuance-callback.data-emissao',
    ],
  },
  {
    number: 24,
    text: 'The headers of a delivery are on those of both channels, and the token on the issuance channel alone.',
    clauses: [
      'webhook-delivery.headers-of-verdicts',
      'webhook-delivery.no-token-on-verdicts',
      'issuance-callback.token',
    ],
  },
  {
    number: 26,
    text: 'The event id in the header of a verdict is that in its body.',
    clauses: ['webhook-delivery.event-id-header', 'verdict-event.event-id'],
  },
  {
    number: 27,
    text: 'The delays of retries may be counted each from the attempt before, from its start or its end, or all from the first, but not now so and now so; each may be a tenth or five seconds off.',
    clauses: [
      'webhook-delivery.retry-delays',
      'webhook-delivery.five-retries',
      'webhook-delivery.issuance-retried',
      'webhook-delivery.dead-letter',
    ],
  },
  {
    number: 28,
    text: 'After a 2xx no attempt follows on an instant of the ladder. A duplicate elsewhere is no fault, as delivery is at least once; an event that never comes is one.',
    clauses: [
      'webhook-delivery.acknowledged-by-any-2xx',
      'webhook-delivery.retries-stop-when-acknowledged',
      'webhook-delivery.at-least-once',
      'webhook-url.called-exactly',
    ],
  },
  {
    number: 29,
    text: 'How many failures open the breaker is not said: up to thirty events are made to fail until nothing follows, and a new registration is to let new events through.',
    clauses: ['webhook-delivery.breaker-opens', 'webhook-delivery.breaker-closes'],
  },
  {
    number: 30,
    text: 'Whether a second address is added or takes the place of the first is not said. Where both get an event, it has one id at both.',
    clauses: [
      'webhook-delivery.event-id-over-targets',
      'webhook-delivery.all-targets',
      'verdict-event.not-on-issuance-channel',
    ],
  },
  {
    number: 31,
    text: 'A redirect is a failed attempt like any other, and is not followed.',
    clauses: ['webhook-delivery.redirect-not-followed'],
  },
  {
    number: 32,
    text: 'After a rotation new events are signed with the new secret; of retries of older ones that is implied.',
    clauses: ['webhook-signature.new-secret-after-rotation', 'webhook-signature.new-secret-on-retries'],
  },
  {
    number: 33,
    text: 'An address that is no absolute http or https one is refused as it is registered, with any 4xx.',
    clauses: ['webhook-url.absolute-http-only'],
  },
  {
    number: 34,
    text: 'A delivery is a POST with JSON in it; what media type it names is implied.',
    clauses: ['webhook-delivery.post-with-json', 'webhook-delivery.media-type'],
  },
  {
    number: 35,
    text: 'An event keeps its id over retries, addresses and pushes by hand, on both channels; that two events have two ids is implied.',
    clauses: [
      'webhook-delivery.event-id-kept-on-retry',
      'webhook-delivery.event-id-of-its-own',
      'webhook-delivery.redelivery',
    ],
  },
  {
    number: 36,
    text: 'Whatever is no 2xx is tried again, and so is what takes too long; of a connection that is refused or breaks that is implied.',
    clauses: [
      'webhook-delivery.other-status-retried',
      'webhook-delivery.timeout-after-10-seconds',
      'webhook-delivery.broken-connection-retried',
    ],
  },
  {
    number: 37,
    text: 'That a company nobody knows, or another word for the environment, is refused is implied, and that the letters DTD in a text do no harm.',
    clauses: ['nfe-issuance.unknown-company', 'nfe-issuance.ambiente-known', 'nfe-verification.dtd-word-taken'],
  },
  {
    number: 38,
    text: 'Every message follows the language that was asked for, those of 403, 429 and echo too. A replacement is named where its path stands in the text and nothing before or behind makes it a longer one.',
    clauses: ['language.on-403', 'language.on-429', 'language.on-echo', 'retirement.replacement-named'],
  },
  {
    number: 39,
    text: 'The reason of a denial holds a code of three or four digits and words, in any order and punctuation.',
    clauses: ['issuance-callback.motivo-of-denial'],
  },
  {
    number: 40,
    text: 'Times are true: between the request and the arrival by the clock that applies, give or take five seconds where that is known, and a minute elsewhere.',
    clauses: [
      'issuance-callback.data-emissao',
      'verdict-event.verified-at',
      'verdict-event.occurred-at',
      'webhook-delivery.timestamp-header',
      'webhook-delivery.fresh-timestamp-on-retry',
      'webhook-delivery.true-times',
    ],
  },
  {
    number: 41,
    text: 'What a verdict tells of an invoice is what the record says that the control API has put in; a field without a value is null, and that it is not left out is implied.',
    clauses: [
      'verdict-event.protocolo',
      'verdict-event.data-autorizacao',
      'verdict-event.c-stat',
      'verdict-event.x-motivo',
      'verdict-event.null-not-left-out',
      'verdict-event.eventos',
      'verdict-event.eventos-of-the-authority',
    ],
  },
  {
    number: 42,
    text: 'One document with one verdict gets one reason, digits apart; that it is English is implied.',
    clauses: ['verdict-event.reason-stable', 'verdict-event.reason-in-english'],
  },
  {
    number: 43,
    text: 'A lookup by chave asks nobody anew, and what an earlier run saw in a verdict is still there: both are implied.',
    clauses: ['chave-lookup.no-revalidation', 'verdict-event.fields-kept'],
  },
  {
    number: 44,
    text: 'A body is judged as its Content-Encoding says. That nobody asked for that encoding is implied to be wrong, and told apart from what is in the body.',
    clauses: ['encoding.of-answers', 'encoding.of-deliveries'],
  },
  {
    number: 45,
    text: 'A query is no part of a path: a retired one stays retired with it, and that a current one still reaches its endpoint is implied: where it does not, nothing else is held against that 404.',
    clauses: ['retirement.gone', 'signature.query-reaches-endpoint'],
  },
  {
    number: 46,
    text: 'A change of an application is in force for its next request.',
    clauses: ['application.change-in-force'],
  },
];

/** How what a clause rests on is read; empty where its words leave no doubt. */
export function readingsOf(id: string): readonly Reading[] {
  return readings.filter(({ clauses }) => clauses.some((clause) => clause === id));
}
