import fc from 'fast-check';
import { fillPath, retiredEndpoints, type RetiredEndpoint } from '../contract/endpoints.ts';
import type { Call } from '../contract/request.ts';
import { cnpj, cpf, nascimento } from './domain.ts';
import { shown } from './named.ts';
import { languageHeaders, languages } from '../contract/values.ts';
import { wishing, type WishedLanguage } from './wished-language.ts';

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

/**
 * Other ways to ask for a retired endpoint than a short JSON object without a query. The first turn gives each path the one of
 * its own place, and so the former XML verification, the sixth, a body that it would have refused.
 */
const forms: readonly ((call: Call) => Call)[] = [
  queried('pagina=1'),
  bodied('application/xml', '<?xml version="1.0" encoding="UTF-8"?><nfeProc versao="4.00"/>'),
  bodied(
    'multipart/form-data; boundary=conformance-boundary',
    '--conformance-boundary\r\nContent-Disposition: form-data; name="file"; filename="nfe.xml"\r\n\r\n<nfeProc/>\r\n--conformance-boundary--\r\n',
  ),
  bodied('application/x-www-form-urlencoded', 'id=1&ambienteEmissao=Homologacao'),
  bodied('application/json', jsonOf(1_100_000)),
  bodied('application/json', ''),
  queried(`${'filtro=valor&'.repeat(20)}ordem=id`),
  bodied('text/xml; charset=utf-8', '<nfeProc/>'),
  bodied(
    'application/json',
    '{"id":"1","ambienteEmissao":"Homologacao","empresaId":"1","chave":"1","xml":"<nfeProc/>"}',
  ),
  bodied('text/plain', 'NF-e'),
  bodied('application/json', '{"ambienteEmissao":'),
  bodied('application/json', jsonOf(300_000)),
];

/** Each language by one header, and then by the other; the cancellation, whose replacement has another method than most, comes in English. */
const byEitherHeader: readonly WishedLanguage[] = languageHeaders.flatMap((header) =>
  [...languages.slice(-1), ...languages.slice(0, -1)].map((language) => [header, language] as const),
);

/** The nine retired calls, plain and in each of the other forms and languages, turn by turn so that the first of them differ most. */
export const retiredCallsInForms: readonly RetiredCall[] = [
  ...nineRetiredCalls,
  ...forms.flatMap((_, turn) =>
    nineRetiredCalls.flatMap((chosen, at) => {
      const form = forms[(at + turn) % forms.length];
      const call = form?.(chosen.call);
      if (call === undefined || call === chosen.call) return [];
      return [{ ...chosen, call: shown(wishing(call, byEitherHeader[(at + turn) % byEitherHeader.length])) }];
    }),
  ),
];

function queried(query: string): (call: Call) => Call {
  return (call) => ({ ...call, query });
}

/** Only where there is a body. */
function bodied(contentType: string, text: string): (call: Call) => Call {
  return (call) => (call.rawBody ? { ...call, contentType, rawBody: Buffer.from(text) } : call);
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
