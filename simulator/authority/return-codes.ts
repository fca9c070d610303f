import texts from './return-texts.json' with { type: 'json' };

/**
 * The official texts of the return codes with which an issuance or a cancellation ends, without the details that the authority
 * adds in brackets; those from 1000 on are of the technical note 2025.002, of the fields that the simulator carries.
 */
const textOf: ReadonlyMap<string, string> = new Map(Object.entries(texts));

/** The tax authority's text for such a return code, in Portuguese; `undefined` for any other code. */
export function returnText(cStat: string): string | undefined {
  return textOf.get(cStat);
}

/** Whether an issuance can be denied with a code: it is known, and says neither success nor that the service pauses. */
export function isDenial(cStat: string): boolean {
  return textOf.has(cStat) && (cStat === '110' || Number(cStat) >= 200);
}
