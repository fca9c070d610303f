import fc from 'fast-check';
import { fixed, joined, maybe, one, textLeaf } from './parties.ts';
import { group, leaf, type XmlElement } from './xml-tree.ts';

/** What is sold, before it has a number. */
export interface ItemSold {
  readonly totalCents: number;
  readonly content: readonly XmlElement[];
}

/** Mostly few, now and then some hundred: few kinds, again and again. */
export function items(): fc.Arbitrary<readonly ItemSold[]> {
  const few = fc.integer({ min: 1, max: 4 });
  const many = fc.integer({ min: 5, max: 300 });
  const count = fc.oneof({ arbitrary: few, weight: 19 }, { arbitrary: many, weight: 1 });
  return fc
    .tuple(fc.array(item(), { minLength: 1, maxLength: 4 }), count)
    .map(([kinds, length]) => Array.from({ length }, (_, at) => kinds.slice(at % kinds.length).slice(0, 1)).flat());
}

/** An amount with two places. */
export function reais(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** The `det` of an item, at a place counted from 0. */
export function detOf({ content }: ItemSold, at: number): XmlElement {
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
