/** What a JSON string may have in the place of a character of a link: `\/`, `\u0026`; not that of a quote or an angle bracket. */
const escaped = String.raw`\\+(?:/|u(?!002[27]|003[ce])[\da-f]{4})`;
const link = new RegExp(String.raw`https?:\\*/\\*/(?:[^\s"'<>\\]|${escaped})+`, 'gi');
/** A name of a namespace or an algorithm of XML. No document of a target is on these hosts, and no other link fits in here. */
const xmlIdentifier = /^https?:\/\/www\.(?:w3\.org|portalfiscal\.inf\.br)(?:\/[\w./#-]*)?$/;

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
