import { jsonCall } from '../generators/calls.ts';
import { isForgotten } from '../targets/empresa.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { bodyRefused, briefly, summary } from './kit/reply.ts';
import { check } from './kit/check.ts';
import { bodyOf, empresaOf, isSuccess, withEmpresa } from './kit/life-cycle.ts';
import { sentOnce } from './kit/read-only.ts';
import type { Trial } from './kit/trial.ts';

/** Has a company registered; the profile's body may not suit a target. */
async function registers(t: Trial): Promise<void> {
  const { registration: exchange, empresaId } = await empresaOf(t, await t.caller());
  if (!exchange) throw new NotExercised('no company was registered in this run');
  t.recall(exchange);
  if (isSuccess(exchange)) return;
  if (empresaId === undefined) throw bodyRefused("the profile's empresa.json", exchange);
  const why = `the target has that company from an earlier run and registers it no more: ${briefly(exchange)}`;
  throw new NotExercised(why, 'settings');
}

/** Has it registered again, which may be refused: what is accepted names the company all the same. */
async function registersAgain(t: Trial): Promise<void> {
  await registers(t);
  if (!t.target.address.control) return;
  // Of an application of its own: who registers anew may begin anew.
  const caller = await t.target.clockedCaller();
  await withEmpresa(t, caller);
  await t.send(caller, jsonCall('empresa-registration', JSON.stringify(bodyOf(t, 'empresa.json'))));
}

check(
  'empresa-registration.empresa-id',
  'the answer to a registration is JSON with `empresaId`, a string that is not empty',
  registersAgain,
);

check('empresa-registration.bare', 'the answer to a registration has no platform envelope', registers);

check('empresa-registration.status-200', 'a registration is answered with 200', registers);

check(
  'empresa-registration.id-names-company',
  'a certificate and an invoice are taken under the `empresaId` that a registration gave',
  async (t) => {
    const caller = await t.caller();
    const empresa = await empresaOf(t, caller);
    const { empresaId, association } = empresa;
    if (empresaId === undefined || !association) throw new NotExercised('a registration gave no empresaId');
    const exchanges = [association, (await sentOnce(t, { caller, empresaId }, 'Autorizada')).exchange];
    const accepted = exchanges.every(isSuccess);
    if (!accepted && !t.target.address.control && !isForgotten(empresa))
      throw new NotExercised("the profile's certificate or invoice was refused", 'settings');
    t.holds(accepted, {
      expected: 'a certificate and an issuance accepted under the empresaId',
      actual: exchanges.map(summary).join('; '),
      hint: 'the empresaId of the answer does not address the company',
    });
  },
);
