import fc from 'fast-check';
import { codes } from '../contract/values.ts';
import type { EndpointName } from '../contract/endpoints.ts';
import { transfers, type Call, type Change, type Draft } from '../contract/request.ts';
import { stringToSign, partsOf } from '../client/sign.ts';
import {
  echoCall,
  jsonCall,
  multipartCall,
  queryCall,
  xmlCall,
  brokenCall,
  longCall,
  spacedCall,
  writtenCall,
} from '../generators/calls.ts';
import { signChanged, type Flaw } from '../generators/flaws.ts';
import { instanceOf } from '../generators/from-schema.ts';
import { jsonText } from '../generators/json.ts';
import { withLineBreaks, bodyText, pathSegment } from '../generators/text.ts';
import { named } from '../generators/named.ts';
import { anyProbe, plainProbes } from '../generators/probes.ts';
import { bodyPair, bodyOf, endsWithin } from '../generators/signed-bodies.ts';
import {
  wrongExtents,
  wrongLineBreaks,
  wrongMultipart,
  wrongPlaceholders,
  wrongSerialisations,
  wrongStripping,
} from '../generators/wrong-recipes/body.ts';
import { echoRequest } from '../schemas/messages.ts';
import { check, property } from './kit/check.ts';
import { acceptsSent, refusesLarge, refusesRecipes, signedFor } from './kit/recipes.ts';

/** Line breaks have a clause of their own; between the tokens of JSON they mean nothing. */
function withoutLineBreaks(text: string): string {
  return text.replaceAll(/[\r\n]/g, ' ');
}

refusesRecipes(
  'signature.line-breaks-removed',
  'a sign over a body that keeps line breaks is refused',
  wrongLineBreaks,
  brokenCall(),
);
refusesRecipes(
  'signature.nothing-else-removed',
  'a sign over a body that lost more than CR and LF is refused',
  wrongStripping,
  spacedCall(),
);
refusesRecipes(
  'signature.json-as-sent',
  'a sign over re-serialised JSON is refused',
  wrongSerialisations,
  writtenCall(),
);
refusesRecipes('signature.body-bound', 'a sign over a part of the body is refused', wrongExtents, longCall());

property(
  'signature.line-breaks-removed',
  'CR and LF put anywhere into a body leave its sign valid',
  fc.constant('{ "message" : "line-breaks" }').chain((text) => {
    const between = text
      .split(' ')
      .map((token) => fc.record({ token: fc.constant(token), breaks: fc.stringMatching(/^[\r\n]{0,4}$/) }));
    return fc.tuple(...between).map((tokens) => tokens.map(({ token, breaks }) => token + breaks).join(' '));
  }),
  async (t, broken) => {
    await t.accepts(
      await t.caller(),
      jsonCall('echo', broken),
      signedFor(jsonCall('echo', broken.replaceAll(/[\r\n]/g, ''))),
    );
  },
  {
    examples: [
      '\n\r\r{ "message" : "line-breaks" }',
      '{ \r"message" :\n "line-breaks"\r\n }\n\r',
      `\r\n\r\n{ "message" : "line-breaks" }${'\n \r'.repeat(7_000)}`,
    ],
    mostPolitely: 3,
  },
);

property(
  'signature.nothing-else-removed',
  'a body signed with all its spaces, tabs and other characters is accepted',
  bodyText().map(withoutLineBreaks),
  async (t, text) => {
    await t.accepts(await t.caller(), xmlCall(text, t.target.address.xmlContentType));
  },
  {
    examples: [
      ' ',
      // No more than nothing for languages in which it is false.
      '0',
      '\t trailing \t ',
      '\0\v\f',
      '\ufeff\u0085\u2028\u2029\u00a0\u200b',
      '<a> <b/>\t<c> &lt;&#13;&#10;&#xD;&#xa;&amp;</c></a>',
    ],
    mostPolitely: 6,
  },
);

/** The text with the code point at that share of its length replaced by another. */
function changedAt(text: string, share: number, replacement: string): string {
  const points = Array.from(text);
  const at = Math.min(points.length - 1, Math.floor(share * points.length));
  return [...points.slice(0, at), points[at] === replacement ? '#' : replacement, ...points.slice(at + 1)].join('');
}

property(
  'signature.body-bound',
  'a body with one character changed after signing is refused',
  fc.record({
    message: fc.string({ minLength: 1, maxLength: 300 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    replacement: fc.constantFrom('x', ' ', '\t', '\u00e9', '\u2028'),
  }),
  async (t, { message, share, replacement }) => {
    const flaw = signedFor(echoCall(changedAt(message, share, replacement)));
    const hint = 'the sign is not bound to the body';
    await t.refuses(await t.caller(), echoCall(message), codes.signMismatch, flaw, hint);
  },
  { examples: [0, 0.5, 1].map((share) => ({ message: 'x'.repeat(8000), share, replacement: 'y' })), mostPolitely: 3 },
);

check('signature.body-bound', 'a sign that was accepted with its body is refused with another one', async (t) => {
  const caller = await t.caller();
  const first = await t.accepts(caller, echoCall('first'));
  const { timestamp } = first.request.parts;
  const replayed: Change = (draft) => signedFor(echoCall('first'))({ ...draft, timestamp });
  const hint = 'a sign that was accepted before is not looked at again';
  // At once: who remembers the last sign only would have forgotten it behind a twin.
  await t.refusesAlone(caller, echoCall('second'), codes.signMismatch, hint, replayed);
});

property(
  'signature.body-bound',
  'a body of any size with one letter changed after signing is refused',
  fc.tuple(bodyPair(['nfe-issuance']), bodyPair(['echo', 'empresa-registration', 'webhook-registration'])),
  async (t, pairs) => {
    const hint = 'the sign is not bound to the whole of a large body';
    await t.each(pairs, ({ call, changed }) => refusesLarge(t, changed, signedFor(call), hint));
  },
  { examples: [[bodyOf('nfe-issuance', 300_000), bodyOf('echo', 300_000)]], most: 20, mostPolitely: 3 },
);

property(
  'signature.body-bound',
  'a document of any size that is signed up to some byte is refused',
  bodyPair(['nfe-verification']),
  async (t, { call }) => {
    const { rawBody = Buffer.alloc(0) } = call;
    await t.each(endsWithin(rawBody.length), async (bytes) => {
      const start = signedFor({ ...call, rawBody: rawBody.subarray(0, bytes) });
      await refusesLarge(t, call, start, `the target takes a sign computed over the first ${bytes} bytes of the body`);
    });
  },
  // No reader that stops anywhere reads it to its end.
  { examples: [bodyOf('nfe-verification', 999_000)], most: 15, mostPolitely: 3 },
);

const bodiless: fc.Arbitrary<Call> = fc
  .record({ method: fc.constantFrom('GET', 'DELETE'), empresaId: pathSegment(), nfeId: pathSegment() })
  .map(({ method, empresaId, nfeId }) => ({ ...queryCall(empresaId, nfeId), method }));

property(
  'signature.body-empty-without-body',
  'GET and DELETE signed with an empty body are accepted',
  bodiless,
  async (t, call) => {
    await t.accepts(await t.caller(), call);
  },
  { mostPolitely: 3 },
);
/** `null` and `{}`, which the contract names, come first. Section 5.2. */
const namedPlaceholders = 2;
refusesRecipes(
  'signature.body-empty-without-body',
  'GET and DELETE signed with a placeholder are refused',
  wrongPlaceholders,
  bodiless,
  namedPlaceholders,
);

const multipart = fc
  .record({ content: bodyText(), boundary: fc.stringMatching(/^[A-Za-z0-9]{8,40}$/) })
  .map(({ content, boundary }) => multipartCall(content, `${boundary}-boundary`));

/** As some clients write it: with the boundary in quotes, behind another parameter, or right behind the semicolon. */
const multipartWritten: readonly Call[] = [
  { ...multipartCall('x'.repeat(80_000)), contentType: 'multipart/form-data; boundary="conformance-boundary"' },
  { ...multipartCall('a'), contentType: 'multipart/form-data; charset=utf-8; boundary=conformance-boundary' },
  { ...multipartCall('a'), contentType: 'Multipart/Form-Data;boundary=conformance-boundary' },
];

property(
  'signature.body-empty-for-multipart',
  'a multipart request signed with an empty body is accepted, whatever its parts carry',
  multipart,
  async (t, call) => {
    await t.accepts(await t.caller(), call);
  },
  { examples: multipartWritten, mostPolitely: 3 },
);
refusesRecipes(
  'signature.body-empty-for-multipart',
  'a multipart request signed over its body is refused',
  wrongMultipart,
  multipart,
);

property(
  'signature.json-as-sent',
  'JSON with keys in any order, spaced and escaped in any way, is accepted as it was signed',
  instanceOf({ ...echoRequest, properties: { message: { type: 'string', pattern: '^[A-Za-z/"]{1,40}$' } } })
    .chain(jsonText)
    .map(withoutLineBreaks),
  async (t, body) => {
    await t.accepts(await t.caller(), jsonCall('echo', body));
  },
  { examples: [String.raw`{ "message" : "a\/b\u002f\u00E7 \"c\" \\ \t" }`], mostPolitely: 3 },
);

property(
  'signature.xml-line-breaks',
  'an XML document with line breaks of any kind is accepted when signed without them',
  withLineBreaks('<?xml version="1.0" encoding="UTF-8"?><conformanceProbe>text</conformanceProbe>'),
  async (t, document) => {
    const call = xmlCall(document, t.target.address.xmlContentType);
    await t.accepts(
      await t.caller(),
      call,
      signedFor(xmlCall(document.replaceAll(/[\r\n]/g, ''), call.contentType ?? '')),
    );
  },
  {
    examples: [
      '<?xml version="1.0"?>\r\n<conformanceProbe>\r\n</conformanceProbe>\n',
      `<?xml version="1.0"?>\r\n<conformanceProbe><![CDATA[\r\n]]><!--\n\r-->${'\r\n \n\r'.repeat(14_000)}</conformanceProbe>`,
    ],
    mostPolitely: 2,
  },
);
refusesRecipes(
  'signature.xml-line-breaks',
  'an XML document signed with its line breaks is refused',
  wrongLineBreaks,
  fc
    .stringMatching(/^[a-z]{1,20}$/)
    .map((name) => xmlCall(`\r\n<?xml version="1.0"?>\r\n<${name}>\r<a/>\n</${name}>\r\n`, 'application/xml')),
);

/** Endpoints with a body; a right request to the harmless ones leaves nothing behind. */
const harmless: readonly EndpointName[] = ['echo', 'nfe-verification', 'certificado-association'];
const bodied: readonly EndpointName[] = [...harmless, 'nfe-issuance'];

check(
  'signature.accepted',
  'a right request is accepted however its body is sent: in chunks, or once it is asked for',
  async (t) => {
    const probes = plainProbes.filter(({ name }) => harmless.includes(name));
    const calls = probes.map(({ callAs }) => callAs(t.target.address.xmlContentType));
    const sent = transfers.flatMap((transfer) => calls.map((call): Call => ({ ...call, transfer })));
    await t.each(sent, (call) => acceptsSent(t, call));
  },
);

/** Signs another body than goes out, where one is signed at all. */
function overBody(name: string, change: (body: Buffer) => Buffer): Flaw {
  const apply = (draft: Draft): Draft => {
    const parts = partsOf(draft);
    fc.pre(parts.body.length > 0);
    return { ...draft, hashed: stringToSign({ ...parts, body: change(parts.body) }) };
  };
  return named(name, { name, refusal: codes.signMismatch, apply });
}

const mediaTypes = [
  undefined,
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/octet-stream',
  'application/vnd.nfe+json',
];

check('signature.mismatch-refused', 'a wrong sign is refused though its JSON calls itself multipart', async (t) => {
  const typed = { ...echoCall('of another type'), contentType: 'multipart/form-data; boundary=conformance-boundary' };
  await refusesLarge(
    t,
    typed,
    signChanged('all zeros', () => '0'.repeat(32)).apply,
    'no sign is asked of a multipart request',
  );
});

/** Where a body is read by a part of the gateway that each endpoint has to ask for. */
const readers: ReadonlySet<string> = new Set<EndpointName>([
  'empresa-registration',
  'webhook-registration',
  'nfe-issuance',
  'nfe-verification',
]);

check('signature.body-bound', 'a sign over no body is refused whatever media type the body is of', async (t) => {
  const call = echoCall('of another type');
  const { apply } = overBody('over no body', () => Buffer.alloc(0));
  await t.each(mediaTypes, async (contentType) => {
    const { contentType: _, ...untyped } = call;
    const typed = contentType === undefined ? untyped : { ...call, contentType };
    await refusesLarge(t, typed, apply, `of ${contentType ?? 'a body without a media type'} nothing is signed`);
  });
  const probes = plainProbes.filter(({ name }) => readers.has(name));
  await t.each(probes, (probe) =>
    refusesLarge(t, probe.callAs(t.target.address.xmlContentType), apply, 'of a body there nothing is signed'),
  );
});

/** Wrong signs that a server may take which does not see the whole of a body, or not in time. */
const blindSigns: readonly Flaw[] = [
  signChanged('all zeros', () => '0'.repeat(32)),
  overBody('over no body', () => Buffer.alloc(0)),
  overBody('over a half of its body', (body) => body.subarray(0, Math.ceil(body.length / 2))),
  overBody('over its body with more', (body) => Buffer.concat([body, Buffer.from(' ')])),
];

property(
  'signature.body-bound',
  'a wrong sign is refused however the body is sent: in chunks, or once it is asked for',
  fc.record({ transfer: fc.constantFrom(...transfers), flaw: fc.constantFrom(...blindSigns), probe: anyProbe(bodied) }),
  async (t, { transfer, flaw, probe }) => {
    const call = { ...probe.callAs(t.target.address.xmlContentType), transfer };
    await refusesLarge(t, call, flaw.apply, `a body that is sent ${transfer} is not bound to its sign`);
  },
  {
    examples: plainProbes
      .filter(({ name }) => ['echo', 'nfe-verification'].includes(name))
      .flatMap((probe) => blindSigns.flatMap((flaw) => transfers.map((transfer) => ({ transfer, flaw, probe })))),
    mostPolitely: 6,
  },
);
