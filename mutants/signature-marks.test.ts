import fc from 'fast-check';
import { expect, test } from 'vitest';
import { signedTree } from '../generators/nfe-documents.ts';
import { signatureBreakages } from '../generators/nfe/breakages.ts';
import type { XmlElement } from '../generators/nfe/xml-tree.ts';
import { remember, signatureMark, type KnownValues } from './signature-marks.ts';

const unbroken = { name: 'nothing', apply: (root: XmlElement): XmlElement => root };

/** The mark that each breakage leaves on a document. */
function marksOn(tree: XmlElement): ReadonlyMap<string, string> {
  const known: KnownValues = new Map();
  remember(known, tree);
  return new Map([unbroken, ...signatureBreakages].map(({ name, apply }) => [name, signatureMark(apply(tree), known)]));
}

test('what is wrong with a signature leaves a mark of its own, the same on every document', () => {
  const [first, ...others] = fc.sample(signedTree(), { seed: 1729, numRuns: 3 }).map(marksOn);
  expect(new Set(first?.values()).size).toBe(signatureBreakages.length + 1);
  for (const other of others) expect(other).toEqual(first);
});
