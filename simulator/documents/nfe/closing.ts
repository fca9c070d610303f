import { decimalText, scaled } from '../../issuance/decimal.ts';
import type { InvoiceContent } from '../../issuance/schema/invoice.ts';
import { formasPagamento, modalidadesFrete, tiposPagamento } from '../../issuance/schema/words.ts';
import type { Totals } from '../../issuance/totals.ts';
import { layoutText, requiredText } from '../layout-text.ts';
import { group, leaf } from '../xml.ts';
import { ibsCbsTotal } from './ibs-cbs.ts';

/** What follows the items: `total`, `transp`, `pag` and, where there is anything to say, `infAdic`. */
export function closing(content: InvoiceContent, totals: Totals): string[] {
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
