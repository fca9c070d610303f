import { endpoints, type EndpointName } from '../contract/endpoints.ts';
import type { Call } from '../contract/request.ts';
import { jsonCall, pathCall, probeCall } from './calls.ts';
import { shown } from './named.ts';

/** A call that its endpoint refuses, for one of the reasons that it has, once the gateway has let it pass. */
export interface RefusedCall {
  readonly name: EndpointName;
  readonly call: Call;
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
  return [probe, ...others(name, xmlContentType)].map((call) => ({ name, call }));
}

function others(name: EndpointName, xmlContentType: string): readonly Call[] {
  const probe = probeCall(name, xmlContentType);
  const of = (text: string, contentType = probe.contentType): Call =>
    shown({ ...probe, rawBody: Buffer.from(text), ...(contentType === undefined ? {} : { contentType }) });
  switch (name) {
    case 'nfe-verification':
      return [
        of(''),
        of('<conformanceProbe>'),
        of(dtd),
        of(unknownEncoding),
        of(`<conformanceProbe/>${' '.repeat(long)}`),
        of(`<conformanceProbe/>${' '.repeat(tooLong)}`),
        of('<conformanceProbe/>', 'application/json'),
      ];
    case 'certificado-association':
      return [of('no parts', 'multipart/form-data'), of('{}', 'application/json')];
    case 'echo':
    case 'empresa-registration':
    case 'webhook-registration':
    case 'nfe-issuance':
      return [
        of('{"conformanceProbe":'),
        of(''),
        of('[]'),
        of('{"conformanceProbe":true}', 'text/plain'),
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
