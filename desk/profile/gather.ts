import { findCompanies } from './companies.ts';
import { findDocuments } from './documents.ts';
import { findIssuances, withoutIssuances, type FoundIssuances } from './issuances.ts';
import { findNumbers } from './numbers.ts';
import { together, type Gathered, type Search } from './search.ts';

/** Finds every part of a profile that suits the target: companies first, since invoices are issued for one. */
export async function gatherProfile(search: Search): Promise<Gathered> {
  const companies = await findCompanies(search);
  const { empresaId } = companies;
  const issuances: FoundIssuances =
    empresaId === undefined ? withoutIssuances() : await findIssuances(search, empresaId);
  const documents = await findDocuments(search, issuances.authorised);
  return together([companies, issuances, documents, await findNumbers(search)]);
}
