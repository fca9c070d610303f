import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { legalSpellings } from '../../generators/nfe/legal-spellings.ts';
import { authorisedNfe, brokenNfe, signedTree } from '../../generators/nfe-documents.ts';
import { nfeVerificationRules } from '../rules/nfe-verification.ts';
import { layoutFaults } from '../testing/official-layout.ts';
import { examine } from './examine.ts';

/** How many documents are judged: 300 unless more are wished. */
const count = Number(process.env['XMLSEC1_DOCUMENTS'] ?? 300);
const isMissing = spawnSync('xmlsec1', ['--version']).status !== 0;
const isRequired = process.env['VERIFY_XMLSEC1'] === 'required';

interface Judged {
  /** What is done to it. */
  readonly name: string;
  readonly rawBody: Buffer;
}

/** As many broken documents as legal ones, half of these in a spelling that has a name. */
function documents(): fc.Arbitrary<Judged> {
  const spelt = fc
    .tuple(signedTree(), fc.constantFrom(...legalSpellings))
    .map(([tree, { name, write }]) => ({ name: `legal, ${name}`, rawBody: write(tree) }));
  return fc.oneof(
    { weight: 1, arbitrary: authorisedNfe().map(({ rawBody }) => ({ name: 'legal', rawBody })) },
    { weight: 1, arbitrary: spelt },
    {
      weight: 2,
      arbitrary: brokenNfe().map(({ breakage, broken }) => ({ name: breakage.name, rawBody: broken.rawBody })),
    },
  );
}

/** What neither xmlsec1 nor the schema can know: they see no meaning, and the manual says more of a reference than the schema. */
const beyondThem: ReadonlySet<string> = new Set([
  'the certificate is of another company',
  'the certificate had expired',
  'the reference is an XPointer',
  'the protocol is of another invoice',
  'the digest in the protocol is another',
]);

/** Whether xmlsec1 verifies the signature in a file. */
function isVerified(file: string): boolean {
  const id = ['--id-attr:Id', 'http://www.portalfiscal.inf.br/nfe:infNFe'];
  return spawnSync('xmlsec1', ['--verify', '--insecure', ...id, file]).status === 0;
}

function isOfLayout(rawBody: Buffer): boolean {
  try {
    return layoutFaults(rawBody) === '';
  } catch {
    return false;
  }
}

async function isTaken(rawBody: Buffer): Promise<boolean> {
  const findings = await examine({ rawBody, isBodyTooLarge: false }, nfeVerificationRules);
  return !('refusal' in findings) && findings.fault === undefined;
}

test(
  `${count} documents are judged as xmlsec1 and the official schema judge them`,
  { timeout: 600_000 },
  async ({ skip }) => {
    skip(isMissing && !isRequired, 'xmlsec1 is not installed: the simulator is not compared with it');
    const folder = mkdtempSync(join(tmpdir(), 'xmlsec1-'));
    const file = join(folder, 'document.xml');
    const apart: string[] = [];
    try {
      for (const { name, rawBody } of fc.sample(documents(), { seed: 1729, numRuns: count })) {
        writeFileSync(file, rawBody);
        const isSound = !beyondThem.has(name) && isOfLayout(rawBody) && isVerified(file);
        if ((await isTaken(rawBody)) !== isSound) apart.push(`${name}: ${isSound ? 'refused' : 'taken'} here alone`);
        if (name.startsWith('legal') !== isSound) apart.push(`${name}: ${isSound ? 'taken' : 'refused'} by all`);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(apart).toEqual([]);
  },
);
