import type { AnySchemaObject } from 'ajv';
import { descriptionFields } from './description-fields.ts';
import { invoice, invoiceByState } from './invoice.ts';
import { member } from './member.ts';
import { baseResult, nfeResultByOutcome } from './nfe-result.ts';
import { validator } from './validate.ts';
import { verdict, verdictByState, verdictEvent } from './verdict.ts';

/** What is wrong with a value, one sentence a fault. */
type FaultsOf = (value: unknown) => readonly string[];

/** What is wrong with the answer to a query of an invoice. Sections 3.1 and 4.1. */
export const faultsOfInvoice: FaultsOf = byWord(invoice, 'status', invoiceByState);

/** What is wrong with the body of an issuance callback; a filled `nfeDigestValue` is not. Section 2.3. */
export const faultsOfNfeResult: FaultsOf = byWord(baseResult, 'nfeStatus', nfeResultByOutcome);

/** What is wrong with a verdict. Section 2.4. */
export const faultsOfVerdict: FaultsOf = byWord(verdict, 'validationStatus', verdictByState);

const faultsOfEnvelope = validator(verdictEvent);

/** What is wrong with the body of a verdict event, its verdict included. Sections 2.4 and 6.6. */
export const faultsOfVerdictEvent: FaultsOf = (event) => {
  const ofEnvelope = faultsOfEnvelope(event);
  const ofVerdict = ofEnvelope.length > 0 ? [] : faultsOfVerdict(member(event, 'data'));
  const superfluous = descriptionFields(event).map((pointer) => `${pointer} is not expected there`);
  return [...ofEnvelope, ...ofVerdict.map((fault) => `/data${fault}`), ...superfluous];
};

/** Judges by the base schema, then by the one that the word in a field stands for. */
function byWord(base: AnySchemaObject, field: string, schemas: Readonly<Record<string, AnySchemaObject>>): FaultsOf {
  const faultsOfBase = validator(base);
  const validators = new Map(Object.entries(schemas).map(([word, schema]) => [word, validator(schema)]));
  return (value) => {
    const faults = faultsOfBase(value);
    return faults.length > 0 ? faults : (validators.get(String(member(value, field)))?.(value) ?? []);
  };
}
