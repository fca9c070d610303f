import { codes } from '../../contract/values.ts';
import { type FieldKind, fieldNames } from './fields.ts';
import { isKnownWord } from './words.ts';
import { isDigit } from '../secrets/reading.ts';

/** A kind whose values are shown whole or not at all. */
type WholeKind = Exclude<FieldKind, 'explaining' | 'phrase' | 'link'>;

/** Longest value that can look like something. */
const longest = 80;

/** Whether a value looks like one of a kind, so that it can't well be a name, a number of somebody or a birth date. */
export function looksLike(kind: WholeKind, value: string): boolean {
  return value.length <= longest && looks[kind](value);
}

const looks: Readonly<Record<WholeKind, (value: string) => boolean>> = {
  word: (value) => isStatusWord(value) || isShortNumber(value),
  code: isCode,
  count: (value) => isShortNumber(value) || isLongerCode(value),
  time: isTime,
  id: (value) => /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(value),
  chave: isChave,
  protocol: isProtocol,
  digest: (value) => /^(?:[A-Za-z\d+/]{27}=|[A-Za-z\d+/]{43}=|[\da-f]{40}|[\da-f]{64})$/.test(value),
  version: (value) => /^v?\d{1,2}(?:\.\d{1,2}){0,2}$/.test(value),
};

/** A number that is too short to be anybody's. */
export function isShortNumber(text: string): boolean {
  return /^-?\d{1,5}(?:\.\d{0,4})?$/.test(text) && digitsIn(text) < 6;
}

/** A number that is shown where a field says that it is nobody's. */
function isLongerCode(text: string): boolean {
  return /^\d{6,7}$/.test(text);
}

/** How many digits a text has. */
export function digitsIn(text: string): number {
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) if (isDigit(text.charCodeAt(at))) digits += 1;
  return digits;
}

/** Words of a status, joined as statuses are: `VALIDATED`, `NaoEncontrada`, `invoice.verify.completed`, `NF-e`. */
function isStatusWord(value: string): boolean {
  return /^[\p{L}._-]+$/u.test(value) && wordsOfName(value).every(isKnownWord);
}

const platformCodes: ReadonlySet<string> = new Set([
  ...Object.values(codes).map(({ code }) => String(code)),
  '10009011',
  '10015004',
]);

/** Whether that is a code as the platform has them: eight digits that are nobody's birth date. Section 7.2. */
export function isPlatformCode(value: string): boolean {
  return platformCodes.has(value) || /^1000\d{4}$/.test(value) || /^1001[03-9]\d{3}$/.test(value);
}

/** A platform code, a short number with or without letters before it (`E-042`), or known words (`NOT_FOUND`). */
function isCode(value: string): boolean {
  return (
    isPlatformCode(value) ||
    isShortNumber(value) ||
    isLongerCode(value) ||
    /^[A-Z]{1,4}[-_.]?\d{1,5}$/.test(value) ||
    isStatusWord(value)
  );
}

/** A moment, right or wrong in form: with a time of day, and not before there were electronic invoices. */
function isTime(value: string): boolean {
  const [, year] =
    /^(20\d\d)-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?$/i.exec(value) ?? [];
  const [, otherYear] = /^\d\d[/.-]\d\d[/.-](20\d\d),? \d\d:\d\d(?::\d\d)?$/.exec(value) ?? [];
  return Number(year ?? otherYear ?? 0) >= firstYear;
}

const firstYear = 2006;

/** An access key: of an electronic invoice, whose issuer is a company. Only that of a person has three zeros there. */
function isChave(value: string): boolean {
  return /^\d{44}$/.test(value) && /^(?:55|65)$/.test(value.slice(20, 22)) && value.slice(6, 9) !== '000';
}

/** An access key as the id of a document has it. */
export function isChaveText(value: string): boolean {
  return value.length <= longest && /^#?(?:NFe)?\d{44}$/.test(value) && isChave(value.slice(-44));
}

/** A protocol of the tax authority: its environment, a state, a year, ten digits. */
function isProtocol(value: string): boolean {
  const state = Number(value.slice(1, 3));
  return /^\d{15}$/.test(value) && ((state >= 11 && state <= 53) || state >= 90);
}

/** The words that a name is made of: of `NaoEncontrada`, `NOT_FOUND` and `status-code` two each. */
function wordsOfName(name: string): string[] {
  return name
    .split(/[^\p{L}]/u)
    .flatMap((part) => part.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu) ?? [])
    .filter((word) => word !== '');
}

const longestName = 40;

/** Names in documents of the tax authority, of their signatures and of SOAP that are not written as variables are. */
const documentNames = new Set(
  `NFe CNPJ CPF IE IM IEST CRT UF CEP NCM NVE CFOP CEST EXTIPI ICMS IPI PIS COFINS II ISSQN DI PISAliq PISNT PISOutr PISST
  COFINSAliq COFINSNT COFINSOutr COFINSST ICMSTot ISSQNtot IPITrib IPINT ICMSUFDest CST CSOSN CNAE ISUF Id URI Algorithm Signature
  SignedInfo CanonicalizationMethod SignatureMethod Reference Transforms Transform DigestMethod DigestValue SignatureValue KeyInfo
  X509Data X509Certificate Envelope Header Body Fault faultcode faultstring Code Reason Text Detail Value`
    .split(/\s+/)
    .map((name) => name.toLowerCase()),
);

/** Elements and attributes of HTML that are no words of English. */
const htmlNames = new Set(
  'h1 h2 h3 h4 h5 h6 hr br tr td th ul ol li dl dt dd img svg div href src alt rel lang colspan rowspan bgcolor http-equiv'.split(
    ' ',
  ),
);

/** Whether the name of a member, an element or an attribute is shown: the contract has it, or it is written as a variable is. */
export function isNameShown(name: string): boolean {
  if (name.length > longestName) return false;
  const lower = name.toLowerCase();
  if (fieldNames.has(lower) || documentNames.has(lower) || htmlNames.has(lower)) return true;
  if (isVariable(name)) return true;
  const words = wordsOfName(name);
  return words.length > 0 && /^[A-Za-z_-]+$/.test(name) && words.every(isKnownWord);
}

/** `lowerCamelCase` or `snake_case` in ASCII, without a number that could be somebody's. */
function isVariable(name: string): boolean {
  return /^[a-z][A-Za-z\d]*$|^[a-z][a-z\d]*(?:_[a-z\d]+)*$/.test(name) && !/\d{4}/.test(name);
}
