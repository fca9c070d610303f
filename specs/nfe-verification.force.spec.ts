import type { FiscalState } from '../contract/values.ts';
import { padded } from '../generators/nfe-documents.ts';
import { member } from '../schemas/values.ts';
import { check } from './kit/check.ts';
import { bodyOfArrival } from './kit/callbacks.ts';
import { isSuccess, withEmpresa } from './kit/life-cycle.ts';
import { summary } from './kit/reply.ts';
import { newEvent, ownVerdicts, verdictsAroundCancellation } from './kit/verdicts.ts';
import { ownDocument, takenSo, verifyDocument, type VerifyingWay } from './kit/verification.ts';

check(
  'nfe-verification.force-revalidate',
  'a forced verification tells that an own invoice was cancelled',
  async (t) => {
    const [, after] = await verdictsAroundCancellation(t);
    const status = member(after, 'status');
    t.holds(status === 'Cancelada', {
      expected: 'an event with status Cancelada',
      actual: JSON.stringify(status) ?? 'none',
      ...(after === undefined ? { restsOnTime: true } : {}),
    });
  },
);

check(
  'nfe-verification.force-revalidate',
  'a forced verification tells what the authority says now',
  async (t) => {
    const caller = await t.target.clockedCaller();
    const { document, chave } = await ownDocument(t, await withEmpresa(t, caller));
    const verdicts = await ownVerdicts(t, caller);
    const statusAfter = async (text = document, way: VerifyingWay = {}): Promise<unknown> => {
      const before = verdicts.events().length;
      const exchange = takenSo(await verifyDocument(t, caller, text, [], way), way.transfer);
      t.holds(isSuccess(exchange), { expected: 'the header forceRevalidate taken', actual: summary(exchange) });
      await caller.advance(0);
      const event = newEvent(t, verdicts, before);
      t.received(...verdicts.events());
      return event && member(bodyOfArrival(event), 'data', 'status');
    };
    await statusAfter();
    const long = padded(document, 1_000_000);
    // What is remembered may be so of the document as it was sent: each form is sent twice.
    const ways: readonly ({ status: FiscalState; text?: string } & VerifyingWay)[] = [
      { status: 'Cancelada' },
      { status: 'Denegada', text: long },
      { status: 'Autorizada', text: long },
      { status: 'Cancelada', transfer: 'chunked' },
      { status: 'Autorizada', transfer: 'chunked' },
      { status: 'Denegada', forcedBy: 'forcerevalidate' },
    ];
    await t.each(ways, async ({ status, text, ...way }) => {
      await t.target.putInvoice(chave, { status });
      const found = await statusAfter(text, way);
      t.holds(found === status, {
        expected: `an event with status ${status}, as the authority has it now`,
        actual: found === undefined ? 'no event' : `status ${JSON.stringify(found)}`,
      });
    });
  },
  { needs: ['movable-clock'] },
);
