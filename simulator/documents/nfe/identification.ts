import type { InvoiceContent } from '../../issuance/schema/invoice.ts';
import { finalidades, presencas, tiposOperacao } from '../../issuance/schema/words.ts';
import type { DocumentInput } from '../document-input.ts';
import { requiredText } from '../layout-text.ts';
import { localDateTime } from '../local-time.ts';
import { group, leaf } from '../xml.ts';

/** Presences with which the layout asks whether a marketplace was between the parties. */
const distant: ReadonlySet<string> = new Set(['2', '3', '9']);

/** `ide`: which invoice it is, and of what kind. */
export function identification({
  empresa,
  content,
  ambiente,
  chave,
  serie,
  numero,
  issuedAtMs,
}: DocumentInput): string {
  const { uf, codigoIbgeCidade } = empresa.data.endereco;
  const presence = presenceOf(content);
  return group('ide', [
    leaf('cUF', chave.slice(0, 2)),
    leaf('cNF', chave.slice(35, 43)),
    leaf('natOp', requiredText(content.naturezaOperacao, 60)),
    leaf('mod', '55'),
    leaf('serie', String(serie)),
    leaf('nNF', String(numero)),
    leaf('dhEmi', localDateTime(issuedAtMs)),
    leaf('tpNF', tiposOperacao[content.tipoOperacao ?? 'Saida']),
    leaf('idDest', uf === content.cliente.endereco.uf ? '1' : '2'),
    leaf('cMunFG', String(codigoIbgeCidade)),
    leaf('tpImp', '1'),
    leaf('tpEmis', '1'),
    leaf('cDV', chave.slice(-1)),
    leaf('tpAmb', ambiente === 'Producao' ? '1' : '2'),
    leaf('finNFe', finalidades[content.finalidade ?? 'Normal']),
    leaf('indFinal', content.consumidorFinal === false ? '0' : '1'),
    leaf('indPres', presence),
    leaf('indIntermed', distant.has(presence) ? '0' : undefined),
    leaf('procEmi', '0'),
    leaf('verProc', 'SIMULADOR 1.0'),
    ...(content.nfeReferenciada ?? []).map(({ chaveAcesso }) => group('NFref', [leaf('refNFe', chaveAcesso)])),
  ]);
}

function presenceOf({ indicadorPresencaConsumidor, pedido }: InvoiceContent): string {
  return presencas[indicadorPresencaConsumidor ?? pedido.presencaConsumidor ?? 'NaoSeAplica'];
}
