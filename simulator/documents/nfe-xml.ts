import { totalsOf } from '../issuance/totals.ts';
import type { DocumentInput } from './document-input.ts';
import { localDateTime } from './local-time.ts';
import { identification } from './nfe/identification.ts';
import { item } from './nfe/item.ts';
import { issuer, recipient } from './nfe/parties.ts';
import { closing } from './nfe/closing.ts';
import { signatureOf } from './signature.ts';
import { group, leaf } from './xml.ts';

const namespace = 'http://www.portalfiscal.inf.br/nfe';
const version = '4.00';

/**
 * The authorised invoice as it is handed out: layout 4.00 with protocol, signed with the company's certificate. An Error
 * for a company without one.
 */
export function nfeProc(input: DocumentInput): { readonly xml: Buffer; readonly digestValue: string } {
  const { certificate, empresaId } = input.empresa;
  if (!certificate) throw new Error(`the company ${empresaId} has no certificate to sign its invoice with`);
  const attributes = { Id: `NFe${input.chave}`, versao: version };
  const parts = contentOf(input);
  const signed = group('infNFe', parts, { ...attributes, xmlns: namespace });
  const { signature, digestValue } = signatureOf(signed, attributes.Id, certificate);
  const nfe = group('NFe', [group('infNFe', parts, attributes), signature], { xmlns: namespace });
  const whole = group('nfeProc', [nfe, protocolOf(input, digestValue)], { versao: version, xmlns: namespace });
  return { xml: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${whole}`), digestValue };
}

/** What `infNFe` holds, in the order of the layout. */
function contentOf(input: DocumentInput): string[] {
  const totals = totalsOf(input.content);
  return [
    identification(input),
    issuer(input.empresa.data),
    recipient(input),
    ...input.content.itens.map((one, at) => item(one, at, totals)),
    ...closing(input.content, totals),
  ];
}

function protocolOf({ ambiente, chave, protocol }: DocumentInput, digestValue: string): string {
  const { numero, authorizedAtMs, cStat, xMotivo } = protocol;
  const parts = [
    leaf('tpAmb', ambiente === 'Producao' ? '1' : '2'),
    leaf('verAplic', 'SIMULADOR_1.0'),
    leaf('chNFe', chave),
    leaf('dhRecbto', localDateTime(authorizedAtMs)),
    leaf('nProt', numero),
    leaf('digVal', digestValue),
    leaf('cStat', cStat),
    leaf('xMotivo', xMotivo),
  ];
  return group('protNFe', [group('infProt', parts, { Id: `ID${numero}` })], { versao: version });
}
