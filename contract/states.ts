/** The states of an NF-e: `status` of the query. Section 3.1. */
export const nfeStates = ['AguardandoAutorizacao', 'Autorizada', 'Negada', 'Cancelada'] as const;

export type NfeState = (typeof nfeStates)[number];

/** How an issuance can end: `nfeStatus` of its callback. Sections 2.3 and 3.1. */
export const nfeOutcomes = ['Autorizada', 'Negada'] as const satisfies readonly NfeState[];

export type NfeOutcome = (typeof nfeOutcomes)[number];

/** What a verification can find: `validationStatus`. Section 3.2. */
export const verdictStates = ['VALIDATED', 'REJECTED', 'VALIDATION_ERROR'] as const;

export type VerdictState = (typeof verdictStates)[number];

/** What the tax authority can say of a verified invoice: `status` of a verdict. Section 2.4. */
export const fiscalStates = [
  'Autorizada',
  'Cancelada',
  'Denegada',
  'Inutilizada',
  'NaoEncontrada',
  'Desconhecida',
] as const;

export type FiscalState = (typeof fiscalStates)[number];
