import fc from 'fast-check';
import { limits } from '../contract/values.ts';
import { named } from './named.ts';
import { signatureBreakages, type SignatureBreakage } from './nfe/breakages.ts';
import { nfeContent } from './nfe/content.ts';
import { treeOf, type NfeDraft, type NfeShape } from './nfe/draft.ts';
import { chaveOfFacts, nfeFacts, type NfeFacts } from './nfe/read-tree.ts';
import { nfeSpelling, spelled } from './nfe/spelling.ts';
import type { XmlElement } from './nfe/xml-tree.ts';

/** A generated NF-e of layout 4.00, as somebody else's software could have written it. */
export interface NfeText {
  /** What stands in its `Id`, without `NFe`. */
  readonly chave: string;
  readonly rawBody: Buffer;
}

/** A sound authorised invoice: `nfeProc`, in any spelling. Shrinks to a short one in the plain spelling. */
export function authorisedNfe(): fc.Arbitrary<NfeText> {
  return fc
    .tuple(nfeDraft(), nfeSpelling())
    .map(([draft, spelling]) => textOf(draft, spelling))
    .filter(isTaken);
}

/** A sound invoice without what the authority said of it: `NFe`, in any spelling. */
export function bareNfe(): fc.Arbitrary<NfeText> {
  return fc
    .tuple(nfeDraft(), nfeSpelling())
    .map(([draft, spelling]) => textOf({ ...draft, protocol: undefined }, spelling))
    .filter(isTaken);
}

/** A sound authorised invoice that goes beyond the layout: empty elements, and characters that it forbids. */
export function looseNfe(): fc.Arbitrary<NfeText> {
  const loose = fc.subarray(
    [
      { name: 'infCpl', attributes: {}, content: [] },
      {
        name: 'obs',
        attributes: { nota: 'caf\u00E9 \u2014 <"\u{1F4C4}">' },
        content: ['\u2014 \u{1F4C4} e\u0301 \u4E2D'],
      },
    ],
    { minLength: 1 },
  );
  return fc
    .tuple(nfeDraft(), loose, nfeSpelling())
    .map(([draft, parts, spelling]) => {
      const content = [...draft.content, ...parts];
      return textOf({ ...draft, content }, spelling);
    })
    .filter(isTaken);
}

/** A sound authorised invoice before anybody has decided how it is written, but for what its signature rests on. */
export function signedTree(): fc.Arbitrary<XmlElement> {
  return nfeDraft().map(treeOf);
}

/** An authorised invoice that somebody tampered with, and its twin as it was. */
export interface BrokenNfe {
  readonly breakage: SignatureBreakage;
  readonly broken: NfeText;
  readonly sound: NfeText;
}

/** An authorised invoice with one thing wrong with its signature, any of these, in any spelling. */
export function brokenNfe(breakages: readonly SignatureBreakage[] = signatureBreakages): fc.Arbitrary<BrokenNfe> {
  return fc
    .tuple(fc.constantFrom(...breakages), nfeDraft(), nfeSpelling())
    .map(([breakage, draft, spelling]) => {
      const sound = textOf(draft, spelling);
      const rawBody = spelled(breakage.apply(treeOf(draft)), spelling);
      return { breakage, sound, broken: named(JSON.stringify(rawBody.toString('utf8')), { ...sound, rawBody }) };
    })
    .filter(({ broken, sound }) => isTaken(broken) && isTaken(sound));
}

/** A long invoice that has every character as a reference is longer than what a service need take. */
function isTaken({ rawBody }: NfeText): boolean {
  return rawBody.length <= limits.xmlVerificationBytes;
}

function nfeDraft(): fc.Arbitrary<NfeDraft> {
  const protocolNumber = fc.integer({ min: 1, max: 999_999_999 });
  return fc
    .tuple(
      nfeFacts().chain((some) => nfeContent(some).map((content) => ({ facts: some, content }))),
      shape(),
      protocolNumber,
    )
    .map(([{ facts: some, content }, itsShape, number]) => draftOf(some, content, itsShape, number));
}

function shape(): fc.Arbitrary<NfeShape> {
  return fc.record({
    prefix: fc.constantFrom('', '', '', 'nfe', 'n'),
    indent: fc.constantFrom(undefined, undefined, '', '  ', '\t'),
    idlePrefixes: fc.constantFrom([], [], ['xsi'], ['z', 'a']),
    isRepeated: fc.boolean(),
  });
}

function draftOf(facts: NfeFacts, content: readonly XmlElement[], itsShape: NfeShape, number: number): NfeDraft {
  const chave = chaveOfFacts(facts);
  const id = `NFe${chave}`;
  const numero = `1${chave.slice(0, 4)}1${String(number).padStart(9, '0')}`;
  return {
    id,
    content,
    protocol: {
      chave,
      numero,
      cStat: '100',
      xMotivo: 'Autorizado o uso da NF-e',
      dhRecbto: facts.dhEmi,
      tpAmb: facts.tpAmb,
    },
    shape: itsShape,
  };
}

/** Shown in counterexamples as it is written. */
function textOf(draft: NfeDraft, spelling: Parameters<typeof spelled>[1]): NfeText {
  const rawBody = spelled(treeOf(draft), spelling);
  return named(JSON.stringify(rawBody.toString('utf8')), { chave: draft.id.replace('NFe', ''), rawBody });
}
