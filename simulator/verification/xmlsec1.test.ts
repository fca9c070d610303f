import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, describe } from 'vitest';
import { authorisedNfe, brokenNfe, signedTree } from '../../generators/nfe-documents.ts';
import { signatureBreakages } from '../../generators/nfe/breakages.ts';
import { legalSpellings } from '../../generators/nfe/spelling.ts';
import { nfeVerificationRules } from '../rules/nfe-verification.ts';
import { layoutFaults, testVerifier, verdictIn } from '../testing/documents.ts';
import { examine } from './examine.ts';
import { runningSimulator } from '../testing/call.ts';

/** How many documents are judged: 100 unless more are wished. */
const count = Number(process.env['XMLSEC1_DOCUMENTS'] ?? 100);
const isMissing = spawnSync('xmlsec1', ['--version']).status !== 0;
const isRequired = process.env['VERIFY_XMLSEC1'] === 'required';

interface Judged {
  /** What is done to it. */
  readonly name: string;
  readonly rawBody: Buffer;
}

/** About as many broken documents as legal ones: so many of each that is wrong, of each spelling, and in any spelling. */
function documents(): readonly Judged[] {
  const drawn = <T>(arbitrary: fc.Arbitrary<T>, share: number): T[] =>
    fc.sample(arbitrary, { seed: 1729, numRuns: Math.max(1, Math.floor(share)) });
  const broken = signatureBreakages.flatMap((one) => drawn(brokenNfe([one]), count / 2 / signatureBreakages.length));
  const spelt = legalSpellings.flatMap(({ name, write }) =>
    drawn(signedTree(), count / 4 / legalSpellings.length).map((tree) => ({ name, rawBody: write(tree) })),
  );
  const legal = drawn(authorisedNfe(), count - broken.length - spelt.length);
  return [
    ...broken.map((one) => ({ name: one.breakage.name, rawBody: one.broken.rawBody })),
    ...spelt.map(({ name, rawBody }) => ({ name: `legal, ${name}`, rawBody })),
    ...legal.map(({ rawBody }) => ({ name: 'legal', rawBody })),
  ];
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
      for (const { name, rawBody } of documents()) {
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

/** A folder with real documents, which are nobody's to publish: they stay outside of the project. */
const folder = process.env['NFE_SAMPLES'];
const simulator = runningSimulator();
const namespace = 'http://www.portalfiscal.inf.br/nfe';

function run(tool: string, ...flags: string[]): { isOk: boolean; output: string } {
  const { status, stdout } = spawnSync(tool, flags, { encoding: 'utf8' });
  return { isOk: status === 0, output: stdout ?? '' };
}

const isToolMissing = !['xmllint', 'xmlsec1'].every((tool) => spawnSync(tool, ['--version']).status === 0);
const files = folder === undefined ? [] : readdirSync(folder, { recursive: true, encoding: 'utf8' });
const samples = files.filter((file) => file.endsWith('.xml'));

/** What other tools say of a document: 400 for no invoice, else whether it is what was signed and authorised. */
function expected(file: string): string | number {
  if (!run('xmllint', '--noout', file).isOk) return 400;
  const count = `count(//*[local-name()='infNFe' and namespace-uri()='${namespace}'])`;
  if (run('xmllint', '--xpath', count, file).output.trim() !== '1') return 400;
  const isSigned = run('xmlsec1', '--verify', '--insecure', '--id-attr:Id', `${namespace}:infNFe`, file).isOk;
  const code = run('xmllint', '--xpath', "string(//*[local-name()='infProt']/*[local-name()='cStat'])", file);
  return isSigned && code.output.trim() === '100' ? 'VALIDATED' : 'REJECTED';
}

describe.skipIf(samples.length === 0 || isToolMissing)('real documents', () => {
  test.each(samples)('%s is judged as xmllint and xmlsec1 judge it', async (name) => {
    const file = join(folder ?? '', name);
    const answer = await (await testVerifier(simulator)).verify(readFileSync(file));
    const { validationStatus = answer.status } = verdictIn(answer);
    expect(validationStatus).toBe(expected(file));
  });
});

test('real documents are verified where NFE_SAMPLES names a folder of them', ({ skip }) => {
  skip(folder === undefined, 'NFE_SAMPLES is not set: no real documents to verify');
  skip(isToolMissing, 'xmllint and xmlsec1 are to be installed to judge real documents');
  expect(samples).not.toEqual([]);
});
