import fc from 'fast-check';
import { alterationOf, tellingIds } from '../generators/nfe-ids.ts';
import { member } from '../schemas/values.ts';
import {
  bodyOfArrival,
  callbacksFor,
  callbacksOf,
  excuseMissing,
  neededCallback,
  ownCallbacks,
} from './kit/callbacks.ts';
import { check, property } from './kit/check.ts';
import { issue, issuerOf, issueUnder, withEmpresa } from './kit/life-cycle.ts';
import { lacking, missing } from './kit/missing.ts';

/** An id that a service may take for a number. */
const digitsAlone = '90071992547409931';

const unusual = [
  ' Ação & nº 1+1 %41 🧾',
  'pedido-'.repeat(28),
  'a b+c/d%2Fe',
  '中 "🧾"',
  '<b>&amp;',
  ' e\u0301 ',
] as const;

/** Those first that tell most; the third is as long as an id of plain characters may be. */
const shapes = [
  digitsAlone,
  unusual[0],
  ...tellingIds.slice(0, 1),
  '7',
  '6F1D2C3B-4A59-4E68-9F70-8A1B2C3D4E5F',
  ...unusual.slice(1),
];

property(
  'issuance-callback.nfe-id',
  'an id of any shape, if it is accepted, comes back as it was sent',
  fc.oneof(fc.constantFrom(...unusual), fc.constantFrom(...tellingIds)),
  async (t, shape) => {
    const issuer = await issuerOf(t);
    const callbacks = await callbacksOf(t, issuer.caller);
    const { nfeId } = await issueUnder(t, issuer, shape);
    const [arrival] = await callbacksFor(t, issuer, callbacks, nfeId);
    if (!arrival) {
      await excuseMissing(t, issuer, callbacks, { nfeId, outcome: 'Autorizada' });
      throw missing(t, `a callback with the id ${nfeId}`);
    }
    const found = member(bodyOfArrival(arrival), 'nfeId');
    const hint = typeof found === 'string' ? `the id came back ${alterationOf(found, nfeId)}` : undefined;
    t.holds(found === nfeId, { expected: JSON.stringify(nfeId), actual: JSON.stringify(found) ?? 'nothing', hint });
  },
  { examples: shapes, needs: ['authorised-issuance'], mostPolitely: 3, mostOnSandbox: 3 },
);

check(
  'issuance-callback.empresa-id',
  'two invoices of one id are called back each with the company that it is of',
  async (t) => {
    const issuer = await issuerOf(t);
    const callbacks = await ownCallbacks(t, issuer.caller);
    const { nfeId } = await issue(t, issuer);
    await neededCallback(t, issuer, callbacks, { nfeId, outcome: 'Autorizada' });
    const second = await withEmpresa(t, issuer.caller, 'other');
    await issue(t, second, { nfeId });
    const arrivals = await callbacksFor(t, second, callbacks, nfeId, 2);
    if (arrivals.length < 2) throw lacking(t, 'the callback of each of two invoices of one id');
    const told = new Set(arrivals.map((arrival) => member(bodyOfArrival(arrival), 'empresaId')));
    t.holds(told.has(second.empresaId), {
      expected: 'a callback with the second company',
      actual: `the companies of ${told.size} callbacks, this one not among them`,
    });
  },
  { needs: ['chosen-application', 'empresa', 'other-empresa', 'authorised-issuance'] },
);
