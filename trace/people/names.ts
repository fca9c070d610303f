import { fieldNames } from './fields.ts';
import { wordsOfName } from './looks.ts';
import { isKnownWord } from './words.ts';

const longest = 40;

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
  if (name.length > longest) return false;
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
