/** Field names, in JSON or XML, whose values tell who somebody is or where they live; letter case aside. */
const personalFields = [
  'nome',
  'nomeCompleto',
  'nomeMae',
  'nomeSocial',
  'nomeFantasia',
  'nomeEmpresarial',
  'razaoSocial',
  'xNome',
  'xFant',
  'cpf',
  'cpfCnpj',
  'nascimento',
  'dataNascimento',
  'email',
  'telefone',
  'telefoneComercial',
  'fone',
  'logradouro',
  'xLgr',
  'complemento',
  'xCpl',
  'bairro',
  'xBairro',
  'cep',
].join('|');

const jsonField = new RegExp(String.raw`"(${personalFields})"(\s*:\s*)("(?:[^"\\]|\\.)*"|-?\d[\d.]*)`, 'gi');
const xmlField = new RegExp(
  String.raw`<((?:\w+:)?(${personalFields})(?:\s[^>]*)?)>(?:[^<]|<!\[CDATA\[[\s\S]*?\]\]>)+<`,
  'gi',
);
const cpfLookup = /(\/consultas\/cpf\/|\/cadastro\/cpf\/)[^/?\s"]+\/[^/?\s"]+/g;
const cpfNumber = /(?<!\d)(\d{3})\.?(\d{3})\.?(\d{3})-?(\d{2})(?!\d)/g;
/** What a JSON string may have in the place of a character of a link: `\/`, `\u0026`; not that of a quote or an angle bracket. */
const escaped = String.raw`\\+(?:/|u(?!002[27]|003[ce])[\da-f]{4})`;
const link = new RegExp(String.raw`https?:\\*/\\*/(?:[^\s"'<>\\]|${escaped})+`, 'gi');
/** A name of a namespace or an algorithm of XML. No document of a target is on these hosts, and no other link fits in here. */
const xmlIdentifier = /^https?:\/\/www\.(?:w3\.org|portalfiscal\.inf\.br)(?:\/[\w./#-]*)?$/;

/**
 * A text of a real server with personal data and live link tokens replaced by the names of what stood there: values of fields
 * such as `nome` and `logradouro`, CPF numbers anywhere, the numbers of a CPF lookup, tokens in the paths and queries of links.
 * Such a name has no underscore; that of a secret has one.
 */
export function withoutPersonalData(text: string): string {
  return text
    .replaceAll(jsonField, (_, name: string, colon: string) => `"${name}"${colon}"$${name}"`)
    .replaceAll(xmlField, (_, tag: string, name: string) => `<${tag}>$${name}<`)
    .replaceAll(cpfLookup, (_, path: string) => `${path}$cpf/$nascimento`)
    .replaceAll(cpfNumber, (number: string, ...groups: string[]) =>
      isCpf(groups.slice(0, 4).join('')) ? '$cpf' : number,
    )
    .replaceAll(link, withoutTokens);
}

/** A text with the tokens in its links hidden: whoever has a live one needs no more. */
export function withoutLinkTokens(text: string): string {
  return text.replaceAll(link, withoutTokens);
}

/** The path and query of a link with the tokens in it hidden. */
export function withoutTokenInTarget(target: string): string {
  const nowhere = 'http://link';
  return withoutTokens(nowhere + target).slice(nowhere.length);
}

/**
 * A link whose query values are hidden, and so are its path segments that are too long and mixed to be words; a name of XML as
 * it stands. All tokens get one name: a text is masked by itself, so a number would mean another token in the next one.
 */
function withoutTokens(url: string): string {
  if (xmlIdentifier.test(url)) return url;
  const [path = '', query] = url.split('?', 2);
  // The slashes are kept between the segments as they are written; the first three segments end with the host.
  const segments = path
    .split(/(\\*\/)/)
    .map((segment, index) => (index > 4 && isToken(segment) ? '$linkToken' : segment));
  const parameters = query?.split(/(&|\\+u0026)/i).map((text, index) => (index % 2 === 0 ? withoutValue(text) : text));
  return parameters ? `${segments.join('')}?${parameters.join('')}` : segments.join('');
}

function withoutValue(parameter: string): string {
  const [name = '', value] = parameter.split(/=|\\+u003d/i, 2);
  return value === undefined || isToken(name) ? '$linkToken' : `${name}=$linkToken`;
}

function isToken(segment: string): boolean {
  return segment.length >= 16 && /\d/.test(segment) && /[a-z]/i.test(segment);
}

function isCpf(digits: string): boolean {
  return checkDigit(digits.slice(0, 9)) === digits[9] && checkDigit(digits.slice(0, 10)) === digits[10];
}

function checkDigit(digits: string): string {
  const sum = Array.from(digits).reduce(
    (total, digit, index) => total + Number(digit) * (digits.length + 1 - index),
    0,
  );
  const rest = sum % 11;
  return String(rest < 2 ? 0 : 11 - rest);
}
