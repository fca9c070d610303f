import { legalSpellings, type LegalSpelling } from '../../generators/nfe/legal-spellings.ts';
import { readTree } from '../../generators/nfe/read-tree.ts';
import { withTopic, type Variant } from './variant.ts';

/** The XML of its invoices comes in a spelling, which that spelling may depend on. */
function spelt(id: string, spellingOf: (nth: number) => LegalSpelling | undefined): Variant {
  let served = 0;
  return {
    id: `variant.own-documents-${id}`,
    change: withTopic('nfeQuery', ({ document }) => ({
      async document(make) {
        const { type, bytes } = await document(make);
        const tree = type === 'application/xml' ? readTree(bytes.toString('utf8')) : undefined;
        const spelling = tree && spellingOf(served++);
        return { type, bytes: tree && spelling ? spelling.write(tree) : bytes };
      },
    })),
  };
}

/** What a server serves of its own invoices, in every legal spelling: by turns, and in each alone. */
export const documentSpellingVariants: readonly Variant[] = [
  spelt('in-every-spelling', (nth) => legalSpellings[nth % legalSpellings.length]),
  ...legalSpellings.map((spelling) =>
    spelt(spelling.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), () => spelling),
  ),
];
