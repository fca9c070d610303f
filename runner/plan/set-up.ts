import { findClause } from '../../contract/catalogue.ts';
import { costBy, sumOfCosts, type Cost } from '../../contract/endpoints.ts';
import type { NeedName } from '../../contract/clause.ts';
import type { TargetAddress } from '../../targets/address.ts';
import { lackAt } from '../../targets/needs-met.ts';
import { wayAt, type CostTable } from './costs.ts';

const nothing = costBy(() => 0);

/** Its registration, and its certificate. */
const aCompany: Cost = { ...nothing, requests: 2, companies: 1, certificates: 1 };
/** Its issuance, and a query of what became of it. */
const anInvoice: Cost = { ...nothing, requests: 2, invoices: 1 };
const anAddress: Cost = { ...nothing, requests: 1, addresses: 1 };

/** What a run asks before its first check, and what of it stays: as the preflight and the receiver of the run will have it. */
export function setUpCost({ questions }: CostTable, address: TargetAddress, clauses: readonly string[]): Cost {
  const needed = new Set(clauses.flatMap((id) => findClause(id)?.needs ?? []));
  const isWanted = (...needs: readonly NeedName[]): boolean =>
    needs.some((need) => needed.has(need) && lackAt(address, need) === undefined);
  const hasAddress = !address.control && address.webhook.isReachable && isWanted('callbacks', 'verification-webhook');
  return sumOfCosts([
    { ...nothing, requests: questions[wayAt(address)] },
    ...(isWanted('empresa-registration') || (isWanted('empresa') && !address.empresas?.own) ? [aCompany] : []),
    ...(isWanted('other-empresa') ? [aCompany] : []),
    ...(isWanted('accepted-issuance', 'authorised-issuance') ? [anInvoice] : []),
    ...(isWanted('denied-issuance') ? [anInvoice] : []),
    ...(hasAddress ? [anAddress] : []),
  ]);
}

/** Requests of a set-up besides those that leave something. */
export function questionsIn({ requests, companies, invoices, addresses }: Cost): number {
  return requests - companies * aCompany.requests - invoices * anInvoice.requests - addresses * anAddress.requests;
}
