import { expect, test } from 'vitest';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import { examine } from '../preflight/examine.ts';
import { readSettings } from '../settings/settings.ts';
import { sandboxAddress } from '../settings/target-address.ts';

const environment = { NFE_BASE_URL: 'http://127.0.0.1:9', NFE_APP_SECRET: 'a-secret-of-a-test' };

async function warningsWith(more: Record<string, string>): Promise<string[]> {
  const settings = readSettings({ ...environment, ...more });
  const { findings } = await examine(settings, sandboxAddress(settings, {}), { memory: ledgerMemory(), budget: 0 });
  return findings.filter(({ state }) => state === 'warning').map(({ examined }) => examined);
}

test('the people of the profile are known before the first request', () => {
  const { people, shows } = sandboxAddress(readSettings(environment), {});
  expect(shows).toBeUndefined();
  expect(people?.known.get('999.999.990-50')).toBe('$cpf');
});

test('with NFE_SHOW=all nobody is sought, and preflight and doctor say that reports show everybody', async () => {
  const { people, shows } = sandboxAddress(readSettings({ ...environment, NFE_SHOW: 'all' }), {});
  expect([people, shows]).toEqual([undefined, 'all']);
  expect(await warningsWith({ NFE_SHOW: 'all' })).toContain('NFE_SHOW');
  expect(await warningsWith({})).not.toContain('NFE_SHOW');
});
