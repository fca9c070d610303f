import { expect, test } from 'vitest';
import { testIssuer, type TestIssuer } from '../testing/company.ts';
import { runningSimulator } from '../testing/running.ts';

const simulator = runningSimulator();
const daySeconds = 24 * 60 * 60;

async function cancelled(issuer: TestIssuer): Promise<unknown> {
  const { status, json } = await issuer.ask('DELETE', '/openapi/v2/empresas/{empresa}/nf-e/a');
  return status === 200 ? 'cancelled' : json;
}

async function issued(): Promise<TestIssuer> {
  const issuer = await testIssuer(simulator);
  await issuer.issue('a');
  await issuer.advance(0);
  return issuer;
}

test('a cancellation is taken 24 hours after the authorisation, and refused a second later', async () => {
  const [inTime, late] = [await issued(), await issued()];
  await inTime.advance(daySeconds);
  expect(await cancelled(inTime)).toBe('cancelled');
  await late.advance(daySeconds + 1);
  expect(await cancelled(late)).toMatchObject([{ codigo: 'SIM-SEFAZ-501' }]);
});

test('a cancellation is refused while the authority is out of reach, and a second time', async () => {
  const issuer = await issued();
  const steer = (reachable: boolean): Promise<unknown> =>
    simulator.control('PUT', `/applications/${issuer.appKey}/authority`, { reachable });
  await steer(false);
  expect(await cancelled(issuer)).toMatchObject([{ codigo: 'SIM-SEFAZ-108' }]);
  await steer(true);
  expect(await cancelled(issuer)).toBe('cancelled');
  expect(await cancelled(issuer)).toMatchObject([{ codigo: 'SIM-SEFAZ-573' }]);
});
