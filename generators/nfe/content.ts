import fc from 'fast-check';
import { ufCodes } from '../domain.ts';
import { chaveOfFacts, type NfeFacts } from './read-tree.ts';
import { detOf, items, reais } from './items.ts';
import { anyTaxNumber, fixed, issuer, joined, maybe, one, place, reader, recipient, textLeaf } from './parties.ts';
import { group, leaf, type XmlElement } from './xml-tree.ts';

/** What `infNFe` holds, in the order of layout 4.00; sums fit, and optional groups come and go. */
export function nfeContent(facts: NfeFacts): fc.Arbitrary<readonly XmlElement[]> {
  return items().chain((sold) => {
    const totalCents = sold.reduce((sum, item) => sum + item.totalCents, 0);
    return joined(
      one(identification(facts)),
      one(issuer(facts.issuer, facts.uf)),
      maybe(recipient()),
      maybe(place('retirada')),
      maybe(place('entrega')),
      fc.array(reader(), { maxLength: 10 }),
      fixed(...sold.map(detOf), totals(totalCents)),
      one(transport()),
      maybe(billing(totalCents)),
      fixed(group('pag', [group('detPag', [leaf('tPag', '17'), leaf('vPag', reais(totalCents))])])),
      maybe(remarks()),
      maybe(purchase()),
    );
  });
}

function identification(facts: NfeFacts): fc.Arbitrary<XmlElement> {
  const { uf, cNF, serie, nNF, dhEmi, tpEmis, tpAmb } = facts;
  const contingency = tpEmis === '1' ? [] : [leaf('dhCont', dhEmi), leaf('xJust', 'Sem conexão com a autorizadora')];
  return joined(
    fixed(leaf('cUF', ufCodes[uf]), leaf('cNF', cNF)),
    one(textLeaf('natOp', 60)),
    fixed(leaf('mod', '55'), leaf('serie', String(serie)), leaf('nNF', String(nNF)), leaf('dhEmi', dhEmi)),
    maybe(fc.constant(leaf('dhSaiEnt', dhEmi))),
    fixed(leaf('tpNF', '1'), leaf('idDest', '1'), leaf('cMunFG', `${ufCodes[uf]}00108`), leaf('tpImp', '1')),
    fixed(leaf('tpEmis', tpEmis), leaf('cDV', chaveOfFacts(facts).slice(-1)), leaf('tpAmb', tpAmb)),
    fixed(leaf('finNFe', '1'), leaf('indFinal', '1'), leaf('indPres', '2'), leaf('procEmi', '0')),
    one(textLeaf('verProc', 20)),
    fixed(...contingency),
  ).map((parts) => group('ide', parts));
}

const zeroTotals = ['vBC', 'vICMS', 'vICMSDeson', 'vFCP', 'vBCST', 'vST', 'vFCPST', 'vFCPSTRet'];
const laterZeroTotals = ['vFrete', 'vSeg', 'vDesc', 'vII', 'vIPI', 'vIPIDevol', 'vPIS', 'vCOFINS', 'vOutro'];

function totals(totalCents: number): XmlElement {
  const zero = (name: string): XmlElement => leaf(name, '0.00');
  const sum = (name: string): XmlElement => leaf(name, reais(totalCents));
  const parts = [...zeroTotals.map(zero), sum('vProd'), ...laterZeroTotals.map(zero), sum('vNF')];
  return group('total', [group('ICMSTot', parts)]);
}

function transport(): fc.Arbitrary<XmlElement> {
  const carrier = joined(anyTaxNumber(), maybe(textLeaf('xNome', 60, 2)), maybe(textLeaf('xEnder', 60)));
  const volume = joined(
    fixed(leaf('qVol', '3')),
    maybe(textLeaf('esp', 60)),
    maybe(textLeaf('marca', 60)),
    maybe(textLeaf('nVol', 60)),
    fixed(leaf('pesoL', '1.500'), leaf('pesoB', '1.700')),
  );
  return joined(
    fixed(leaf('modFrete', '9')),
    maybe(carrier.map((parts) => group('transporta', parts))),
    fc.array(
      volume.map((parts) => group('vol', parts)),
      { maxLength: 5 },
    ),
  ).map((parts) => group('transp', parts));
}

function billing(totalCents: number): fc.Arbitrary<XmlElement> {
  return textLeaf('nFat', 60).map((number) => {
    const value = reais(totalCents);
    const invoice = group('fat', [number, leaf('vOrig', value), leaf('vDesc', '0.00'), leaf('vLiq', value)]);
    return group('cobr', [
      invoice,
      group('dup', [leaf('nDup', '001'), leaf('dVenc', '2031-01-31'), leaf('vDup', value)]),
    ]);
  });
}

function remarks(): fc.Arbitrary<XmlElement> {
  const note = fc
    .tuple(textLeaf('xTexto', 60), fc.constantFrom('Pedido', 'Nº "2" & 3', "d'água <1>"))
    .map(([text, xCampo]) => group('obsCont', [text], { xCampo }));
  return joined(
    maybe(textLeaf('infAdFisco', 2000)),
    maybe(textLeaf('infCpl', 5000)),
    fc.array(note, { maxLength: 3 }),
  ).map((parts) => group('infAdic', parts));
}

function purchase(): fc.Arbitrary<XmlElement> {
  return joined(maybe(textLeaf('xPed', 60)), maybe(textLeaf('xCont', 60))).map((parts) => group('compra', parts));
}
