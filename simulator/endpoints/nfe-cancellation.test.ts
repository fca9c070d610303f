import { describe, expect, test } from 'vitest';
import { testIssuer, type TestIssuer } from '../testing/company.ts';
import { runningSimulator } from '../testing/running.ts';
import type { TestAnswer } from '../testing/call.ts';

const simulator = runningSimulator();

function cancel(issuer: TestIssuer, id: string): Promise<TestAnswer> {
  return issuer.ask('DELETE', `/openapi/v2/empresas/{empresa}/nf-e/${id}`);
}

async function issued(changes: object = {}): Promise<TestIssuer> {
  const issuer = await testIssuer(simulator);
  await issuer.issue('a', changes);
  await issuer.advance(0);
  return issuer;
}

describe('a cancellation', () => {
  test('gets 200 and zero bytes, and the status becomes Cancelada', async () => {
    const issuer = await issued();
    expect(await cancel(issuer, 'a')).toMatchObject({ status: 200, bodyText: '', headers: { 'content-length': '0' } });
    expect((await issuer.query('a')).json).toMatchObject({ status: 'Cancelada' });
  });

  test('of an unknown id gets 404', async () => {
    expect(await cancel(await issued(), 'none')).toMatchObject({ status: 404, json: [{}] });
  });

  test('of an invoice that waits gets 400', async () => {
    const issuer = await testIssuer(simulator, { settleSeconds: 60 });
    await issuer.issue('a');
    expect(await cancel(issuer, 'a')).toMatchObject({ status: 400, json: [{ codigo: 'SIM-NFE-AGUARDANDO' }] });
  });

  test('of a denied invoice gets 400', async () => {
    const issuer = await issued({ informacoesAdicionais: 'SIMULAR-NEGADA-302' });
    expect(await cancel(issuer, 'a')).toMatchObject({ status: 400, json: [{ codigo: 'SIM-NFE-NEGADA' }] });
  });

  test('a second time gets 400', async () => {
    const issuer = await issued();
    await cancel(issuer, 'a');
    expect(await cancel(issuer, 'a')).toMatchObject({ status: 400, json: [{ codigo: 'SIM-SEFAZ-573' }] });
  });

  test('is taken 24 hours after the authorisation, and refused a second later', async () => {
    const [inTime, late] = [await issued(), await issued()];
    await inTime.advance(24 * 60 * 60);
    expect((await cancel(inTime, 'a')).status).toBe(200);
    await late.advance(24 * 60 * 60 + 1);
    expect(await cancel(late, 'a')).toMatchObject({ status: 400, json: [{ codigo: 'SIM-SEFAZ-501' }] });
  });

  test('is refused while the authority is out of reach', async () => {
    const issuer = await issued();
    await simulator.control('PUT', `/applications/${issuer.appKey}/authority`, { reachable: false });
    expect(await cancel(issuer, 'a')).toMatchObject({ status: 400, json: [{ codigo: 'SIM-SEFAZ-108' }] });
  });

  test('by another integrator gets 404 and cancels nothing', async () => {
    const [mine, other] = [await issued(), await testIssuer(simulator)];
    expect((await other.ask('DELETE', `/openapi/v2/empresas/${mine.empresaId}/nf-e/a`)).status).toBe(404);
    expect((await mine.query('a')).json).toMatchObject({ status: 'Autorizada' });
  });
});
