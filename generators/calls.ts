import fc from 'fast-check';
import {
  endpoint,
  fillPath,
  type EndpointName,
  endpoints,
  retiredEndpoints,
  type RetiredEndpoint,
} from '../contract/endpoints.ts';
import type { Call } from '../contract/request.ts';
import { languageHeaders, languages } from '../contract/values.ts';
import { chaveCheckDigit, cnpj, cpf, nascimento } from './domain.ts';
import { shown } from './named.ts';
import { pathSegment, queryString } from './text.ts';
import { wishing, type WishedLanguage } from './wished-language.ts';
import type { JsonObject } from '../schemas/values.ts';

/** A correct echo call. Section 4.1. */
export function echoCall(message: string): Call {
  return jsonCall('echo', JSON.stringify({ message }));
}

/** A call of an endpoint that takes JSON, with that text as its body; path variables are harmless. */
export function jsonCall(name: EndpointName, bodyText: string): Call {
  return { ...bareCall(name), contentType: 'application/json', rawBody: Buffer.from(bodyText, 'utf8') };
}

/** A call by POST of a path that is no endpoint's, such as a retired one, with that JSON object as its body. Section 4.3. */
export function jsonPost(path: string, body: JsonObject): Call {
  return shown({ method: 'POST', path, contentType: 'application/json', rawBody: Buffer.from(JSON.stringify(body)) });
}

/** A call of the XML verification with that document. Section 4.1. */
export function xmlCall(document: string, contentType: string): Call {
  return { ...bareCall('nfe-verification'), contentType, rawBody: Buffer.from(document, 'utf8') };
}

/** A multipart call that carries one part, to a company that does not exist. Section 4.1. */
export function multipartCall(content: string, boundary = 'conformance-boundary'): Call {
  const lines = [`--${boundary}`, 'Content-Disposition: form-data; name="probe"', '', content, `--${boundary}--`, ''];
  return {
    ...bareCall('certificado-association'),
    contentType: `multipart/form-data; boundary=${boundary}`,
    rawBody: Buffer.from(lines.join('\r\n'), 'utf8'),
  };
}

/** A query of an invoice that does not exist. */
export function queryCall(empresaId: string, nfeId: string): Call {
  return pathCall('nfe-query', { empresaId, nfeId });
}

/** A call of an endpoint without body. */
export function pathCall(name: EndpointName, values: Readonly<Record<string, string>>): Call {
  return shown({ method: endpoint(name).method, path: fillPath(endpoint(name).path, values) });
}

const nowhere = '000000000000000000000000';
const probeChave43 = ['35', '2601', '0'.repeat(14), '55', '001', '000000001', '1', '00000001'].join('');

/** Values that fit the path variables and belong to nobody: the numbers are never given out. */
const probeValues = {
  empresaId: `conformance-probe-${nowhere}`,
  nfeId: `conformance-probe-${nowhere}`,
  chave: `${probeChave43}${chaveCheckDigit(probeChave43)}`,
  cnpj: '00000000000000',
  cpf: '00000000000',
  nascimento: '01011900',
};

function bareCall(name: EndpointName): Call {
  return pathCall(name, probeValues);
}

/** What a body holds that its endpoint has no use for. */
export interface Filling {
  readonly text: string;
  /** The text as a JSON string, written in any way. */
  readonly json: string;
}

export const plainFilling: Filling = { text: 'conformance probe', json: '"conformance probe"' };

/** One that shows what is done to a body before it is hashed: breaks, spaces, accents, and JSON that nobody writes himself. */
export const tellingFilling: Filling = {
  text: 'ação  e\u0301, 1',
  json: ' \r\n"ação  e\u0301 a/b, \\u0041\\r\\n"\r\t\n',
};

/**
 * A call of any endpoint that a provider refuses, though the gateway lets it pass: what it names does not exist and its body
 * lacks what the endpoint requires. A lenient server may take it all the same: who sends it untouched asks `mayLeaveNew`.
 */
export function probeCall(name: EndpointName, xmlContentType: string, { text, json } = plainFilling): Call {
  switch (name) {
    case 'echo':
      return jsonCall(name, `{"message":${json}}`);
    case 'certificado-association':
      return multipartCall(text);
    case 'nfe-verification':
      return xmlCall(`<conformanceProbe>${inXml(text)}</conformanceProbe>`, xmlContentType);
    case 'nfe-issuance':
      return jsonCall(name, `{"ambienteEmissao":"Homologacao","conformanceProbe":${json}}`);
    case 'empresa-registration':
    case 'webhook-registration':
      return jsonCall(name, `{"conformanceProbe":${json}}`);
    case 'nfe-query':
    case 'nfe-cancellation':
    case 'chave-lookup':
    case 'cnpj-lookup':
    case 'cpf-lookup':
      return bareCall(name);
  }
}

/** Of a text what stands for itself in XML. */
function inXml(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M}\p{N}\p{So} .,:;+-]/gu, '');
}

/** A call that its endpoint refuses, for one of the reasons that it has, once the gateway has let it pass. */
export interface RefusedCall {
  readonly name: EndpointName;
  readonly call: Call;
  /** Whether it is refused for what many look at before anything else. */
  readonly isEarly: boolean;
}

/** Longer than a document may be, 1 MB. Section 8. */
const tooLong = 1_048_577;

/** A body of this many bytes is an ordinary one, and more than what many servers read by default. */
const long = 150_000;

const dtd = '<!DOCTYPE conformanceProbe><conformanceProbe/>';
const unknownEncoding = '<?xml version="1.0" encoding="X-ENCODING-17"?><conformanceProbe/>';

/** What each endpoint refuses, the probe first: what can't be read, what is too long, is of another media type or lacks something. */
export function refusedCalls(xmlContentType: string): readonly RefusedCall[] {
  const known = made.get(xmlContentType) ?? endpoints.flatMap(({ name }) => refusedBy(name, xmlContentType));
  made.set(xmlContentType, known);
  return known;
}

/** Those that were asked for: some of them are a megabyte long. */
const made = new Map<string, readonly RefusedCall[]>();

function refusedBy(name: EndpointName, xmlContentType: string): RefusedCall[] {
  const probe = name === 'echo' ? jsonCall('echo', '{"no": "message"}') : probeCall(name, xmlContentType);
  const early = earlyOthers[name] ?? 0;
  return [probe, ...others(name, xmlContentType)].map((call, at) => ({ name, call, isEarly: at > 0 && at <= early }));
}

/** How many of the others, the first ones, are refused for what many look at early: their length, JSON, media type or parts, or digits. */
const earlyOthers: Readonly<Partial<Record<EndpointName, number>>> = {
  'nfe-verification': 3,
  'certificado-association': 2,
  'chave-lookup': 1,
  'cnpj-lookup': 1,
  'cpf-lookup': 1,
  echo: 2,
  'empresa-registration': 1,
  'webhook-registration': 1,
  'nfe-issuance': 1,
};

function others(name: EndpointName, xmlContentType: string): readonly Call[] {
  const probe = probeCall(name, xmlContentType);
  const of = (text: string, contentType = probe.contentType): Call =>
    shown({ ...probe, rawBody: Buffer.from(text), ...(contentType === undefined ? {} : { contentType }) });
  switch (name) {
    case 'nfe-verification':
      return [
        of(''),
        of(`<conformanceProbe/>${' '.repeat(tooLong)}`),
        of('<conformanceProbe/>', 'application/json'),
        of('<conformanceProbe>'),
        of(dtd),
        of(unknownEncoding),
        of(`<conformanceProbe/>${' '.repeat(long)}`),
      ];
    case 'certificado-association':
      return [of('no parts', 'multipart/form-data'), of('{}', 'application/json')];
    case 'echo':
    case 'empresa-registration':
    case 'webhook-registration':
    case 'nfe-issuance':
      return [
        of('{"conformanceProbe":'),
        of('{"conformanceProbe":true}', 'text/plain'),
        of(''),
        of('[]'),
        of(`{"conformanceProbe":"${'x'.repeat(long)}"}`),
      ];
    case 'chave-lookup':
      return [pathCall(name, { chave: '1' })];
    case 'cnpj-lookup':
      return [pathCall(name, { cnpj: '1' })];
    case 'cpf-lookup':
      return [pathCall(name, { cpf: '1', nascimento: '1' })];
    case 'nfe-query':
    case 'nfe-cancellation':
      return [];
  }
}

/*
 * Each of these calls shows certain wrong ways to sign and is plain in everything else. So a target that signs wrongly in one
 * way is accused of that way only: a body with accents in the check on line breaks would fail for its accents too.
 */

const word = (): fc.Arbitrary<string> => fc.stringMatching(/^[a-z]{1,12}$/);

/** An echo call of a word: no query, no line breaks, no spaces, ASCII only. */
export function plainCall(): fc.Arbitrary<Call> {
  return word().map((text) => jsonCall('echo', `{"message":"${text}"}`));
}

/** With a query string that is out of order. */
export function queriedCall(): fc.Arbitrary<Call> {
  return fc
    .record({ call: plainCall(), query: queryString() })
    .map(({ call, query }) => ({ ...call, query: `zz=1&aa=2&${query}` }));
}

/** With CR, LF and CRLF at both ends and between tokens. */
export function brokenCall(): fc.Arbitrary<Call> {
  return word().map((text) => jsonCall('echo', `\r\n\n{\r"message"\n:\r\n"${text}"\n\r}\r\n\n`));
}

/** With spaces and tabs at both ends and between tokens, runs of them, separators of lines and escaped line breaks. */
export function spacedCall(): fc.Arbitrary<Call> {
  return word().map((text) => jsonCall('echo', ` \t{"message" :  "${text}  a\u0085b\u2028c\u2029d\\r\\n" }\t `));
}

/** With accents in both Unicode forms, compatibility and astral characters. */
export function accentedCall(): fc.Arbitrary<Call> {
  return word().map((text) => jsonCall('echo', `{"message":"Nota nº 1: ${text} pão, cafe\u0301, ﬁm, 😀"}`));
}

/** With keys out of order, spaces, slashes and characters that need no escape escaped. */
export function writtenCall(): fc.Arbitrary<Call> {
  return word().map((text) => jsonCall('echo', `{"zeta": [1, 2], "message": "${text} a/b \\u0041", "alfa": 1.0}`));
}

/** With a body of more than 1,024 characters. */
export function longCall(): fc.Arbitrary<Call> {
  return word().map((text) => jsonCall('echo', `{"message":"${'x'.repeat(1100)}${text}"}`));
}

/** A query of an invoice whose path has variables in mixed case. */
export function variableCall(): fc.Arbitrary<Call> {
  return fc
    .record({ empresaId: pathSegment(), nfeId: pathSegment() })
    .map(({ empresaId, nfeId }) => queryCall(`Ab-${empresaId}`, `Nf-${nfeId}`));
}

/** A call of a retired endpoint, with the endpoint. */
export interface RetiredCall {
  readonly retired: RetiredEndpoint;
  readonly call: Call;
}

/** Numbers that belong to nobody. */
const nobody = { cnpj: '00000000000000', cpf: '00000000000', nascimento: '01011900' };

/** One call of each of the nine retired endpoints, in their order. Section 4.3. */
export const nineRetiredCalls: readonly RetiredCall[] = retiredEndpoints.map((retired) => retiredCall(retired, nobody));

/** A call of any retired endpoint that has path variables, of their legal forms. Section 2.2. */
export function anyRetiredLookup(): fc.Arbitrary<RetiredCall> {
  const lookups = retiredEndpoints.filter(({ path }) => path.includes('{'));
  const values = fc.record({ cnpj: cnpj(), cpf: cpf(), nascimento: nascimento() });
  return fc
    .record({ retired: fc.constantFrom(...lookups), values })
    .map((chosen) => retiredCall(chosen.retired, chosen.values));
}

/** Lookups of what is no number: a path is gone whatever stands in it. */
export const oddRetiredLookups: readonly RetiredCall[] = [
  { cnpj: 'x', cpf: '123.456.789-09', nascimento: '1980-01-01' },
  { cnpj: '12.345.678-0001-95', cpf: '1', nascimento: 'hoje' },
].flatMap((values) =>
  retiredEndpoints.filter(({ path }) => path.includes('{')).map((retired) => retiredCall(retired, values)),
);

/** What the former XML verification took, XML and a file: for that it may still be there. */
const ofDocuments = [
  bodied('application/xml', '<?xml version="1.0" encoding="UTF-8"?><nfeProc versao="4.00"/>'),
  bodied(
    'multipart/form-data; boundary=conformance-boundary',
    '--conformance-boundary\r\nContent-Disposition: form-data; name="file"; filename="nfe.xml"\r\n\r\n<nfeProc/>\r\n--conformance-boundary--\r\n',
  ),
];

/**
 * Other ways to ask for a retired endpoint than a short JSON object without a query. The first turn gives each path the one of
 * its own place: lookups, the last two, and one other a query, and the former XML verification, the sixth, a body that it would have refused.
 */
const forms: readonly ((call: Call) => Call)[] = [
  bodied(
    'application/json',
    '{"id":"1","ambienteEmissao":"Homologacao","empresaId":"1","chave":"1","xml":"<nfeProc/>"}',
  ),
  bodied('application/json', jsonOf(300_000)),
  bodied('application/x-www-form-urlencoded', 'id=1&ambienteEmissao=Homologacao'),
  (call) => queried('ambiente=1')(bodied(undefined, 'NF-e')(call)),
  bodied('application/json', '{"ambienteEmissao":'),
  bodied('application/json', ''),
  bodied('text/xml; charset=utf-8', '<nfeProc/>'),
  queried('pagina=1'),
  queried(`${'filtro=valor&'.repeat(20)}ordem=id`),
  ...ofDocuments,
  bodied('application/json', jsonOf(1_100_000)),
];

/** Each language by one header, and then by the other; the cancellation, whose replacement has another method than most, comes in English. */
const byEitherHeader: readonly WishedLanguage[] = languageHeaders.flatMap((header) =>
  [...languages.slice(-1), ...languages.slice(0, -1)].map((language) => [header, language] as const),
);

/** Paths with forms, turn by turn so that the first of them differ most. */
const turns = forms.flatMap((_, turn) =>
  nineRetiredCalls.map((chosen, at) => ({ chosen, isOwn: turn === 0, nth: (at + turn) % forms.length })),
);
type Turn = (typeof turns)[number];

const isFirst = ({ chosen: { retired }, isOwn, nth }: Turn): boolean =>
  isOwn || (retired.path === '/openapi/nfe/verify/xml' && ofDocuments.some((form) => form === forms[nth]));

/** A retired call in a form, in the language whose turn it is; none where that form changes nothing. */
function inForm({ chosen, nth }: Turn): RetiredCall[] {
  const call = forms[nth]?.(chosen.call);
  if (call === undefined || call === chosen.call) return [];
  return [{ ...chosen, call: shown(wishing(call, byEitherHeader[nth % byEitherHeader.length])) }];
}

/** The nine retired calls, plain and in each of the other forms and languages. */
export const retiredCallsInForms: readonly RetiredCall[] = [
  ...nineRetiredCalls,
  ...turns.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one))).flatMap(inForm),
];

function queried(query: string): (call: Call) => Call {
  return (call) => ({ ...call, query });
}

/** Only where there is a body, which need not say what it is. */
function bodied(contentType: string | undefined, text: string): (call: Call) => Call {
  return ({ contentType: before, ...call }) => {
    if (!call.rawBody || before === undefined) return call;
    return { ...call, rawBody: Buffer.from(text), ...(contentType === undefined ? {} : { contentType }) };
  };
}

function jsonOf(bytes: number): string {
  return JSON.stringify({ ambienteEmissao: 'Homologacao', observacao: 'x'.repeat(bytes) });
}

/** A body that would be harmless if the endpoint were still there. */
function retiredCall(retired: RetiredEndpoint, values: typeof nobody): RetiredCall {
  const { method, path } = retired;
  const body = { contentType: 'application/json', rawBody: Buffer.from('{"ambienteEmissao":"Homologacao"}') };
  return { retired, call: shown({ method, path: fillPath(path, values), ...(method === 'POST' ? body : {}) }) };
}
