const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Words that an English sentence about a verification has, and no Portuguese or Spanish one. */
const english = words(`
  the is was not of by and or it does has have had were are been be this that with which from for to on at an authority
  authorized authorised authorization cancelled canceled certificate content could denied digest document error expired
  failed found invalid invoice match mismatch missing number rejected reached record required service signature signed
  status tax timeout unavailable unknown unreachable valid verification voided wrong key access`);

/** Words of Portuguese and Spanish sentences about one, without what English shares and names hold. */
const foreign = words(`
  de da dos das foi com para pela pelo uma ao nao não fue una autoridade assinatura autorizada cancelada certificado chave
  documento denegada firma inválida invalida nota rejeitada rejeitado rejeição rejeicao rechazada rechazado confere
  encontrada encontrado`);

/**
 * Whether a text surely is no English: it has a word of another language, or a letter that English lacks, and none of English.
 * What quotes a Portuguese message of the authority in an English sentence is English.
 */
export function isForeign(text: string): boolean {
  const found = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const isOther = found.some((word) => foreign.has(word) || /[^a-z]/.test(word));
  return isOther && !found.some((word) => english.has(word));
}
