import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { authorisedNfe, bareNfe, flawedNfe, looseNfe } from '../../generators/nfe-documents.ts';
import { nfeFlaws } from '../../generators/nfe/flaws.ts';
import { nfeVerificationRules } from '../rules/nfe-verification.ts';
import { runningSimulator } from '../testing/running.ts';
import { testVerifier, verdictIn, type TestVerifier } from '../testing/verifier.ts';
import { examine } from './examine.ts';

const simulator = runningSimulator();
const seed = 1729;

async function statusOf(verifier: TestVerifier, rawBody: Buffer): Promise<unknown> {
  const answer = await verifier.verify(rawBody);
  return verdictIn(answer)['validationStatus'] ?? answer.status;
}

describe('generated documents', () => {
  test('a sound authorised one is VALIDATED, whatever its spelling', async () => {
    const verifier = await testVerifier(simulator);
    await fc.assert(
      fc.asyncProperty(fc.oneof(authorisedNfe(), looseNfe()), async ({ rawBody, chave }) => {
        const verdict = verdictIn(await verifier.verify(rawBody));
        expect(verdict).toMatchObject({ validationStatus: 'VALIDATED', status: 'Autorizada', chaveAcesso: chave });
      }),
      { seed, numRuns: 150 },
    );
  });

  test('in a bare one nothing is found wrong', async () => {
    await fc.assert(
      fc.asyncProperty(bareNfe(), async ({ rawBody, chave }) => {
        const findings = await examine({ rawBody, isBodyTooLarge: false }, nfeVerificationRules);
        expect(findings).toHaveProperty('digestValue');
        expect(findings).toEqual({ ...findings, chave });
        expect(findings).not.toHaveProperty('fault');
      }),
      { seed, numRuns: 150 },
    );
  });

  test.each(nfeFlaws)('its twin is VALIDATED, and it is not, when $name', async (flaw) => {
    const verifier = await testVerifier(simulator);
    await fc.assert(
      fc.asyncProperty(flawedNfe(flaw), async ({ flawed, sound }) => {
        // The sound one first: what the authority sees of a chave first is what it keeps.
        expect(await statusOf(verifier, sound.rawBody)).toBe('VALIDATED');
        expect(await statusOf(verifier, flawed.rawBody)).toBe(flaw.demands === 'refusal' ? 400 : 'REJECTED');
      }),
      { seed, numRuns: 10 },
    );
  });

  test('one with its bytes cut off, doubled or changed gets a verdict or 400', async () => {
    const verifier = await testVerifier(simulator);
    const damage = fc.tuple(fc.nat(), fc.nat(), fc.nat({ max: 255 }), fc.constantFrom('cut', 'double', 'change'));
    await fc.assert(
      fc.asyncProperty(authorisedNfe(), damage, async ({ rawBody }, [start, length, byte, kind]) => {
        const from = start % rawBody.length;
        const to = from + 1 + (length % 64);
        const middle = {
          cut: [],
          double: [...rawBody.subarray(from, to), ...rawBody.subarray(from, to)],
          change: [byte],
        };
        const body = Buffer.concat([rawBody.subarray(0, from), Buffer.from(middle[kind]), rawBody.subarray(to)]);
        expect(['VALIDATED', 'REJECTED', 400]).toContain(await statusOf(verifier, body));
      }),
      { seed, numRuns: 150 },
    );
  });
});
