import fc from 'fast-check';
import { transfers } from '../contract/request.ts';
import { issuanceCall } from '../generators/issuance.ts';
import { freshId, tellingIds } from '../generators/nfe-ids.ts';
import { LeftOut } from '../targets/not-exercised.ts';
import { check, property } from './kit/check.ts';
import { issuanceWith, sendWith, taken } from './kit/issuance-fields.ts';
import {
  bodyOf,
  isRefusedByEndpoint,
  isSuccess,
  issue,
  issuedSince,
  issuerOf,
  type Issuer,
  issueUnder,
  queryWhenSettled,
  statusOf,
  withEmpresa,
  toldStatus,
} from './kit/life-cycle.ts';
import { cancelledInvoice, idOfTwoCompanies, issuedOnce } from './kit/read-only.ts';
import { summary } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';

check(
  'nfe-issuance.status-200',
  'an issuance gets 200 under an id that is another by its letter case, a zero, an accent, a space, a rare sign, or by one character of many',
  async (t) => {
    const issuer = await withEmpresa(t, await t.caller());
    const { control } = t.target.address;
    const [plain, accented] = [freshId('locacao'), freshId('locação')];
    // Of so many digits that two are one number wherever numbers have 64 bits.
    const [digits, number] = [freshId('1'), freshId('10000')];
    // Longer than what a column for short texts holds, and than many another, or than what some indexes take of it. What is drawn comes
    // first: cut short it is an id of this time alone, too.
    const [longer, longest] = [`${freshId('Nota')}-${'x'.repeat(60)}a`, freshId().padEnd(198, '-x')];
    const shorter = `${freshId('Nota')}a`;
    const inCaseAndSign = (id: string): readonly string[] => [
      id.replace(/a$/, 'A'),
      ...(id.includes('_') ? [id.replace('_', '-')] : []),
    ];
    // Where invoices stay with somebody, the longest that is taken is enough.
    const letters = control ? [[longer], [shorter]] : [[`${longest}a`, longer, shorter]];
    // The id that is the less usual one goes first: where that is refused, nothing is known of the others.
    await t.each(
      [
        ...letters.map((ids) => ({
          unusual: ids.flatMap((id) => [id.replace('-', '_'), id]),
          othersOf: inCaseAndSign,
        })),
        { unusual: [`0${number}`], othersOf: () => [number] },
        { unusual: [`${accented} `], othersOf: () => [accented, `${accented.replace('ção', 'cao')} `] },
        ...(control
          ? [
              { unusual: [`${longer}1`], othersOf: () => [`${longer.slice(0, 35)}y${longer.slice(36)}1`] },
              { unusual: [`0${digits}`], othersOf: () => [digits] },
              { unusual: [plain.replace('cao', '🧾')], othersOf: () => [plain.replace('cao', '🚚')] },
              { unusual: [plain.replace('cao', '①')], othersOf: () => [plain.replace('cao', '1')] },
              { unusual: [`${longest}a`], othersOf: () => [`${longest}b`] },
              { unusual: [`${number}1`], othersOf: () => [`${number}3`] },
            ]
          : []),
      ],
      async ({ unusual, othersOf }) => {
        const taken = await firstTaken(t, issuer, unusual);
        for (const id of othersOf(taken)) {
          const exchange = await sendWith(t, issuer, { id });
          t.holds(isSuccess(exchange), { expected: `accepted beside ${taken}`, actual: summary(exchange) });
        }
      },
    );
  },
  { needs: ['authorised-issuance'] },
);

/** The first of some ids that an issuance is accepted under; where none is, nothing is known of those like them. */
async function firstTaken(t: Trial, issuer: Issuer, ids: readonly string[]): Promise<string> {
  for (const id of ids) if (isSuccess(await sendWith(t, issuer, { id }))) return id;
  throw new LeftOut(`the id ${ids.join(', ')} was refused`);
}

/** Issuances that are under way at once, as often as that is tried; where invoices stay with somebody, two once. */
const bursts = [2, 8, 4, 8];

check(
  'nfe-issuance.id-unique-in-company',
  'of issuances with one id under way at once no more than one is accepted',
  async (t) => {
    const issuer = await withEmpresa(t, await t.caller());
    const { control, maxRps } = t.target.address;
    await t.each(control ? bursts.slice(0, maxRps > 0 ? 2 : bursts.length) : [2], async (count) => {
      const call = issuanceWith(t, issuer, { id: freshId() });
      const answers = await t.sendAtOnce(
        issuer.caller,
        Array.from({ length: count }, () => call),
      );
      // Of one that was sent again, or held back by a limit, nobody knows what became of it.
      if (answers.some(({ isResent, response }) => isResent || response?.status === 429)) return;
      const [, ...others] = answers.toSorted((one, other) => Number(isSuccess(other)) - Number(isSuccess(one)));
      for (const other of others) isRefusedByEndpoint(t, other, 'the id was taken at the same time');
    });
  },
);

property(
  'nfe-issuance.id-unique-in-company',
  'an id that an invoice of the company has is refused',
  fc.constantFrom(...tellingIds),
  async (t, shape) => {
    const issuer = await withEmpresa(t, await t.caller());
    const { nfeId } = await issueUnder(t, issuer, shape);
    isRefusedByEndpoint(t, await sendWith(t, issuer, { id: nfeId }), 'the id is taken and was accepted again');
  },
  { examples: ['nfe'], mostPolitely: 3, mostOnSandbox: 3 },
);

/** More invoices than a service remembers that only knows the latest. */
const remembered = 12;

check(
  'nfe-issuance.id-unique-in-company',
  'an id that is taken is refused however the issuance is sent, and whatever was issued since',
  async (t) => {
    const issuer = await withEmpresa(t, await t.caller());
    const { control } = t.target.address;
    // Of the common invoice others ask whether it is found in capitals.
    const { nfeId } = await (control ? issue : issuedOnce)(t, issuer);
    if (control) {
      while (issuedSince(issuer, nfeId) < remembered) await issue(t, issuer);
      // Where this one takes the place of the other, that one's id is free.
      await sendWith(t, issuer, { id: nfeId.toUpperCase() });
    }
    const fields = { id: nfeId, ambienteEmissao: 'Homologacao' };
    const call = issuanceCall(issuer.empresaId, bodyOf(t, 'nf-e.autorizada.json'), fields);
    const escaped = issuanceCall(issuer.empresaId, bodyOf(t, 'nf-e.autorizada.json'), fields, (value) =>
      JSON.stringify(value).replace(`"${nfeId}"`, `"\\u00${nfeId.charCodeAt(0).toString(16)}${nfeId.slice(1)}"`),
    );
    await t.each([call, escaped, ...transfers.map((transfer) => ({ ...call, transfer }))], async (each) => {
      const exchange = taken(await t.send(issuer.caller, each));
      isRefusedByEndpoint(t, exchange, 'the id is taken and was accepted again');
    });
  },
);

check(
  'nfe-issuance.id-unique-in-company',
  'the id of a cancelled invoice is refused',
  async (t) => {
    const issuer = await issuerOf(t);
    const { nfeId } = await cancelledInvoice(t, issuer);
    const again = await sendWith(t, issuer, { id: nfeId });
    isRefusedByEndpoint(t, again, 'the id of a cancelled invoice is taken as well');
  },
  { needs: ['authorised-issuance'] },
);

check('nfe-issuance.id-unique-in-company', 'an id that is taken is refused with another content', async (t) => {
  const issuer = await withEmpresa(t, await t.caller());
  const { nfeId } = await issuedOnce(t, issuer);
  const body = { ...bodyOf(t, 'nf-e.autorizada.json'), informacoesAdicionais: 'outra nota' };
  const call = issuanceCall(issuer.empresaId, body, { id: nfeId, ambienteEmissao: 'Homologacao' });
  isRefusedByEndpoint(t, await t.send(issuer.caller, call), 'the id is taken, whatever the invoice has in it');
  if (!t.target.address.control) return;
  const found = await queryWhenSettled(t, issuer, nfeId);
  t.holds(statusOf(found) === 'Autorizada', {
    expected: 'the invoice that has the id as it was',
    actual: toldStatus(found),
  });
});

check(
  'nfe-issuance.id-unique-in-company',
  'an id that is taken is refused in the other environment',
  async (t) => {
    const issuer = await withEmpresa(t, await t.caller());
    const { nfeId } = await issuedOnce(t, issuer);
    const exchange = await sendWith(t, issuer, { id: nfeId, ambienteEmissao: 'Producao' });
    isRefusedByEndpoint(t, exchange, 'the id is taken in the company, whatever the environment');
  },
  { needs: ['real-issuance'] },
);

check(
  'nfe-issuance.id-unique-in-company',
  'an id is taken for good: while its invoice waits, and after a year',
  async (t) => {
    const caller = await t.target.clockedCaller({ settleSeconds: 60 });
    const issuer = await withEmpresa(t, caller);
    const { nfeId } = await issue(t, issuer);
    isRefusedByEndpoint(t, await sendWith(t, issuer, { id: nfeId }), 'the id is taken while its invoice waits');
    await caller.advance(400 * 86_400);
    isRefusedByEndpoint(t, await sendWith(t, issuer, { id: nfeId }), 'the id was taken more than a year ago');
  },
  { needs: ['movable-clock', 'authorised-issuance'] },
);

check(
  'nfe-issuance.id-free-in-other-company',
  'an id that an invoice of another company has is accepted',
  async (t) => {
    const { exchange } = await idOfTwoCompanies(t, await withEmpresa(t, await t.caller()));
    t.recall(exchange);
    t.holds(isSuccess(exchange), {
      expected: 'accepted, since the id is unique per company',
      actual: summary(exchange),
    });
  },
);

check(
  'nfe-issuance.id-unique-in-company',
  'an id is taken in each of two companies of an application once that one has an invoice of it',
  async (t) => {
    const caller = await t.passingCaller();
    const { nfeId } = await issue(t, await withEmpresa(t, caller));
    const second = await withEmpresa(t, caller, 'other');
    await issue(t, second, { nfeId });
    isRefusedByEndpoint(t, await sendWith(t, second, { id: nfeId }), 'the id is taken in the second company');
  },
  { needs: ['other-empresa', 'chosen-application'] },
);
