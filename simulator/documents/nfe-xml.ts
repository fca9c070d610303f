import { decimalText, scaled, type Totals, totalsOf } from '../issuance/amounts.ts';
import { formasPagamento, modalidadesFrete, tiposPagamento } from '../issuance/schema-words.ts';
import type { InvoiceContent } from '../issuance/schema.ts';
import { type DocumentInput, identification, issuer, recipient } from './nfe-heading.ts';
import { ibsCbsTotal, item } from './nfe-items.ts';
import { signatureOf } from './signature.ts';
import { group, layoutText, leaf, localDateTime, requiredText } from './xml.ts';

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

/** What follows the items: `total`, `transp`, `pag` and, where there is anything to say, `infAdic`. */
function closing(content: InvoiceContent, totals: Totals): string[] {
  const { transporte, pedido } = content;
  const additional = layoutText(additionalOf(content), 5000);
  return [
    group('total', [group('ICMSTot', totalFields(totals)), ibsCbsTotal(totals)]),
    group('transp', [leaf('modFrete', modalidadesFrete[transporte?.frete?.modalidade ?? 'SemFrete'])]),
    payment(pedido.pagamento),
    additional === undefined ? '' : group('infAdic', [leaf('infCpl', additional)]),
  ];
}

/** What the invoice adds, and who told its approximate taxes, for which the layout has no other place. */
function additionalOf({ informacoesAdicionais, itens }: InvoiceContent): string | undefined {
  const sources = new Set(itens.flatMap(({ impostos }) => impostos.percentualAproximadoTributos?.fonte ?? []));
  const told = [...sources].map((source) => `Fonte dos tributos aproximados: ${source}`);
  const all = [...(informacoesAdicionais === undefined ? [] : [informacoesAdicionais]), ...told];
  return all.length === 0 ? undefined : all.join(' | ');
}

function totalFields(totals: Totals): string[] {
  const amounts: [string, bigint][] = [
    ['vBC', totals.icmsBase],
    ['vICMS', totals.icms],
    ['vICMSDeson', 0n],
    ['vFCP', 0n],
    ['vBCST', 0n],
    ['vST', 0n],
    ['vFCPST', 0n],
    ['vFCPSTRet', 0n],
    ['vProd', totals.products],
    ['vFrete', totals.freight],
    ['vSeg', 0n],
    ['vDesc', totals.discount],
    ['vII', 0n],
    ['vIPI', totals.ipi],
    ['vIPIDevol', 0n],
    ['vPIS', totals.pis],
    ['vCOFINS', totals.cofins],
    ['vOutro', 0n],
    ['vNF', totals.invoice],
    ['vTotTrib', totals.approximateTaxes],
  ];
  return amounts.map(([name, amount]) => leaf(name, decimalText(amount, 2)));
}

function payment({ tipo, formas, troco }: InvoiceContent['pedido']['pagamento']): string {
  const ways = formas.map(({ tipo: way, valor, descricao }) =>
    group('detPag', [
      leaf('indPag', tipo && tiposPagamento[tipo]),
      leaf('tPag', formasPagamento[way]),
      leaf('xPag', way === 'Outros' ? requiredText(descricao ?? way, 60, 2) : undefined),
      leaf('vPag', decimalText(scaled(valor, 2), 2)),
    ]),
  );
  const change = troco === undefined ? undefined : decimalText(scaled(troco, 2), 2);
  return group('pag', [...ways, leaf('vTroco', change)]);
}
