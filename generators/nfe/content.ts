import fc from 'fast-check';
import { ufCodes } from '../domain.ts';
import { chaveOfFacts, type NfeFacts, group, leaf, type XmlElement } from './xml-tree.ts';
import { anyTaxNumber, fixed, issuer, joined, maybe, one, place, reader, recipient, textLeaf } from './draft.ts';

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

/** What is sold, before it has a number. */
interface ItemSold {
  readonly totalCents: number;
  readonly content: readonly XmlElement[];
}

/** Mostly few, now and then some hundred: few kinds, again and again. */
function items(): fc.Arbitrary<readonly ItemSold[]> {
  const few = fc.integer({ min: 1, max: 4 });
  const many = fc.integer({ min: 5, max: 300 });
  const count = fc.oneof({ arbitrary: few, weight: 19 }, { arbitrary: many, weight: 1 });
  return fc
    .tuple(fc.array(item(), { minLength: 1, maxLength: 4 }), count)
    .map(([kinds, length]) => Array.from({ length }, (_, at) => kinds.slice(at % kinds.length).slice(0, 1)).flat());
}

/** An amount with two places. */
function reais(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** The `det` of an item, at a place counted from 0. */
function detOf({ content }: ItemSold, at: number): XmlElement {
  return group('det', content, { nItem: String(at + 1) });
}

function item(): fc.Arbitrary<ItemSold> {
  return fc
    .record({ quantity: fc.integer({ min: 1, max: 999 }), unitCents: fc.integer({ min: 1, max: 99_999 }) })
    .chain(({ quantity, unitCents }) => {
      const totalCents = quantity * unitCents;
      return joined(
        one(product(`${quantity}.0000`, `${reais(unitCents)}00`, reais(totalCents))),
        one(taxes()),
        maybe(textLeaf('infAdProd', 500)),
      ).map((content) => ({ totalCents, content }));
    });
}

function product(quantity: string, unitPrice: string, total: string): fc.Arbitrary<XmlElement> {
  return joined(
    one(textLeaf('cProd', 60)),
    fixed(leaf('cEAN', 'SEM GTIN')),
    one(textLeaf('xProd', 120)),
    fixed(leaf('NCM', '48202000'), leaf('CFOP', '5102'), leaf('uCom', 'UN')),
    fixed(leaf('qCom', quantity), leaf('vUnCom', unitPrice), leaf('vProd', total), leaf('cEANTrib', 'SEM GTIN')),
    fixed(leaf('uTrib', 'UN'), leaf('qTrib', quantity), leaf('vUnTrib', unitPrice), leaf('indTot', '1')),
    maybe(textLeaf('xPed', 15)),
  ).map((parts) => group('prod', parts));
}

function taxes(): fc.Arbitrary<XmlElement> {
  return fc
    .constantFrom(
      group('ICMSSN102', [leaf('orig', '0'), leaf('CSOSN', '102')]),
      group('ICMS40', [leaf('orig', '0'), leaf('CST', '41')]),
    )
    .map((icms) =>
      group('imposto', [
        group('ICMS', [icms]),
        group('PIS', [group('PISNT', [leaf('CST', '07')])]),
        group('COFINS', [group('COFINSNT', [leaf('CST', '07')])]),
      ]),
    );
}
