import { chaveCheckDigit } from '../domain.ts';
import { named } from '../named.ts';
import type { NfeDraft } from './draft.ts';
import type { XmlElement } from './xml-tree.ts';

/** One named flaw of an otherwise sound authorised invoice. */
export interface NfeFlaw {
  readonly name: string;
  /** A verdict against it, or no verdict because nothing says which invoice it is. */
  readonly demands: 'rejection' | 'refusal';
  readonly apply: (draft: NfeDraft) => NfeDraft;
}

/** The content says that part otherwise than the chave; it is signed like that. */
function foreignPart(part: string, path: readonly string[], change: (text: string) => string): NfeFlaw {
  return flaw(`another ${part} than the chave`, (draft) => {
    const content = changedAt(draft.content, path, change);
    return { ...draft, content, ...(draft.signature && { signature: { ...draft.signature, content } }) };
  });
}

function ofProtocol(name: string, change: (draft: NfeDraft) => Partial<NonNullable<NfeDraft['protocol']>>): NfeFlaw {
  return flaw(name, (draft) =>
    draft.protocol ? { ...draft, protocol: { ...draft.protocol, ...change(draft) } } : draft,
  );
}

function notAuthorised(cStat: string, xMotivo: string): NfeFlaw {
  return ofProtocol(`the protocol says ${cStat}`, () => ({ cStat, xMotivo }));
}

/** All flaws, each with what it demands. */
export const nfeFlaws: readonly NfeFlaw[] = [
  flaw('the check digit is wrong', (draft) =>
    withChave(draft, (chave) => chave.slice(0, 43) + nextDigit(chave.at(-1))),
  ),
  flaw('the chave is of a state that does not exist', (draft) => withChave(draft, (chave) => rekeyed(chave, 0, '99'))),
  flaw('the chave is of a 13th month', (draft) => withChave(draft, (chave) => rekeyed(chave, 4, '13'))),
  foreignPart('cUF', ['ide', 'cUF'], (text) => (text === '35' ? '41' : '35')),
  foreignPart('month', ['ide', 'dhEmi'], (text) => text.replace(/-\d\d-/, text.includes('-01-') ? '-03-' : '-01-')),
  foreignPart('year', ['ide', 'dhEmi'], (text) => `2018${text.slice(4)}`),
  foreignPart('CNPJ', ['emit', 'CNPJ'], (text) => (text === otherCnpj ? '99999999000191' : otherCnpj)),
  foreignPart('mod', ['ide', 'mod'], () => '65'),
  foreignPart('serie', ['ide', 'serie'], (text) => (text === '7' ? '8' : '7')),
  foreignPart('nNF', ['ide', 'nNF'], (text) => (text === '17' ? '18' : '17')),
  foreignPart('tpEmis', ['ide', 'tpEmis'], (text) => (text === '1' ? '4' : '1')),
  foreignPart('cNF', ['ide', 'cNF'], (text) => String((Number(text) + 1) % 100_000_000).padStart(8, '0')),
  foreignPart('cDV', ['ide', 'cDV'], nextDigit),
  flaw('it is not signed', (draft) => ({ ...draft, signature: undefined })),
  flaw('the signature is of another invoice', (draft) => ({
    ...draft,
    ...(draft.signature && { signature: { ...draft.signature, id: otherChave(draft.signature.id) } }),
  })),
  flaw('it was altered after it was signed', (draft) => ({
    ...draft,
    content: changedAt(draft.content, ['ide', 'natOp'], (text) => (text === 'VENDA' ? 'COMPRA' : 'VENDA')),
  })),
  ofProtocol('the protocol is of another invoice', ({ id }) => ({ chave: otherChave(id.slice(3)) })),
  ofProtocol('the protocol is of another content', () => ({ digestValue: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' })),
  notAuthorised('110', 'Uso Denegado'),
  notAuthorised('302', 'Uso Denegado: Irregularidade fiscal do destinatario'),
  notAuthorised('539', 'Rejeicao: Duplicidade de NF-e com diferenca na Chave de Acesso'),
  notAuthorised('999', 'Rejeicao: Erro nao catalogado'),
  flaw('the Id lacks NFe', (draft) => ({ ...draft, id: draft.id.slice(3) }), 'refusal'),
  flaw('the Id lacks a digit', (draft) => ({ ...draft, id: draft.id.slice(0, -1) }), 'refusal'),
  flaw('the Id is empty', (draft) => ({ ...draft, id: '' }), 'refusal'),
];

const otherCnpj = '11222333000181';

function flaw(name: string, apply: NfeFlaw['apply'], demands: NfeFlaw['demands'] = 'rejection'): NfeFlaw {
  return named(name, { name, demands, apply });
}

/** The same document with another chave wherever one stands. */
function withChave(draft: NfeDraft, change: (chave: string) => string): NfeDraft {
  const chave = change(draft.id.slice(3));
  const id = `NFe${chave}`;
  const content = changedAt(draft.content, ['ide', 'cDV'], () => chave.slice(-1));
  return {
    ...draft,
    id,
    content,
    signature: { id, content },
    protocol: draft.protocol && { ...draft.protocol, chave },
  };
}

/** A chave with other digits from a place on, and the check digit that fits. */
function rekeyed(chave: string, at: number, digits: string): string {
  const first43 = chave.slice(0, at) + digits + chave.slice(at + digits.length, 43);
  return first43 + chaveCheckDigit(first43);
}

/** That of another number, before which there may be something. */
function otherChave(text: string): string {
  const chave = text.slice(-44);
  return text.slice(0, -44) + rekeyed(chave, 33, nextDigit(chave[33]));
}

function nextDigit(digit = '0'): string {
  return String((Number(digit) + 1) % 10);
}

function changedAt(
  content: readonly XmlElement[],
  [name, ...inner]: readonly string[],
  change: (text: string) => string,
): readonly XmlElement[] {
  return content.map((element) => {
    if (element.name !== name) return element;
    if (inner.length === 0) return { ...element, content: element.content.map(textChanged(change)) };
    const elements = element.content.filter((part) => typeof part !== 'string');
    return { ...element, content: changedAt(elements, inner, change) };
  });
}

function textChanged(change: (text: string) => string): (part: XmlElement | string) => XmlElement | string {
  return (part) => (typeof part === 'string' ? change(part) : part);
}
