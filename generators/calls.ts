import { endpoint, fillPath, type EndpointName } from '../contract/endpoints.ts';
import type { Call } from '../contract/request.ts';
import { chaveCheckDigit } from './domain.ts';
import { shown } from './named.ts';

/** A correct echo call. Section 4.1. */
export function echoCall(message: string): Call {
  return jsonCall('echo', JSON.stringify({ message }));
}

/** A call of an endpoint that takes JSON, with that text as its body; path variables are harmless. */
export function jsonCall(name: EndpointName, bodyText: string): Call {
  return { ...bareCall(name), contentType: 'application/json', rawBody: Buffer.from(bodyText, 'utf8') };
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
  json: ' \r\n"ação  e\u0301 a/b, \\u0041\\r\\n"\t\n',
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
