import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runningSimulator } from '../testing/call.ts';
import { testVerifier, verdictIn } from '../testing/documents.ts';

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
const documents = files.filter((file) => file.endsWith('.xml'));

/** What other tools say of a document: 400 for no invoice, else whether it is what was signed and authorised. */
function expected(file: string): string | number {
  if (!run('xmllint', '--noout', file).isOk) return 400;
  const count = `count(//*[local-name()='infNFe' and namespace-uri()='${namespace}'])`;
  if (run('xmllint', '--xpath', count, file).output.trim() !== '1') return 400;
  const isSigned = run('xmlsec1', '--verify', '--insecure', '--id-attr:Id', `${namespace}:infNFe`, file).isOk;
  const code = run('xmllint', '--xpath', "string(//*[local-name()='infProt']/*[local-name()='cStat'])", file);
  return isSigned && code.output.trim() === '100' ? 'VALIDATED' : 'REJECTED';
}

describe.skipIf(documents.length === 0 || isToolMissing)('real documents', () => {
  test.each(documents)('%s is judged as xmllint and xmlsec1 judge it', async (name) => {
    const file = join(folder ?? '', name);
    const answer = await (await testVerifier(simulator)).verify(readFileSync(file));
    const { validationStatus = answer.status } = verdictIn(answer);
    expect(validationStatus).toBe(expected(file));
  });
});

test('real documents are verified where NFE_SAMPLES names a folder of them', ({ skip }) => {
  skip(folder === undefined, 'NFE_SAMPLES is not set: no real documents to verify');
  skip(isToolMissing, 'xmllint and xmlsec1 are to be installed to judge real documents');
  expect(documents).not.toEqual([]);
});
