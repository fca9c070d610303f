import { XmlCData, XmlElement, XmlText } from 'libxml2-wasm';

/** What the layout of the NF-e fixes of one element of a signature. */
interface SignaturePart {
  readonly name: string;
  /** Attributes that it may have; an algorithm is one that it must have. */
  readonly attributes?: readonly string[];
  readonly algorithm?: string;
  /** What it holds, each once and in this order; absent for one that holds a text in base64, or nothing beside its algorithm. */
  readonly parts?: readonly SignaturePart[];
}

export const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#';
const canonicalization = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';

function method(name: string, algorithm: string): SignaturePart {
  return { name, algorithm };
}

/** The only form that a signature of an NF-e may have: one reference, two transforms, RSA with SHA-1, one certificate. */
export const signatureForm: SignaturePart = {
  name: 'Signature',
  attributes: ['Id'],
  parts: [
    {
      name: 'SignedInfo',
      attributes: ['Id'],
      parts: [
        method('CanonicalizationMethod', canonicalization),
        method('SignatureMethod', `${signatureNamespace}rsa-sha1`),
        {
          name: 'Reference',
          attributes: ['Id', 'URI', 'Type'],
          parts: [
            {
              name: 'Transforms',
              parts: [
                method('Transform', `${signatureNamespace}enveloped-signature`),
                method('Transform', canonicalization),
              ],
            },
            method('DigestMethod', `${signatureNamespace}sha1`),
            { name: 'DigestValue' },
          ],
        },
      ],
    },
    { name: 'SignatureValue', attributes: ['Id'] },
    { name: 'KeyInfo', attributes: ['Id'], parts: [{ name: 'X509Data', parts: [{ name: 'X509Certificate' }] }] },
  ],
};

/** The first thing in which an element is not of that form, as stable English text; `undefined` for nothing. */
export function formFault(element: XmlElement, part: SignaturePart): string | undefined {
  return attributeFault(element, part) ?? contentFault(element, part);
}

function attributeFault(
  { attrs }: XmlElement,
  { name, attributes = [], algorithm }: SignaturePart,
): string | undefined {
  const own = attrs.filter(({ namespaceUri }) => namespaceUri === '');
  if (algorithm !== undefined) {
    const found = own.find((attribute) => attribute.name === 'Algorithm');
    if (found?.value !== algorithm) return `The ${name} is not the one that the layout prescribes.`;
  }
  const allowed = algorithm === undefined ? attributes : ['Algorithm'];
  const isKnown = own.length === attrs.length && own.every((attribute) => allowed.includes(attribute.name));
  return isKnown ? undefined : `The ${name} has an attribute that the layout does not have.`;
}

function contentFault(element: XmlElement, { name, parts, algorithm }: SignaturePart): string | undefined {
  if (parts) return partsFault(element, name, parts);
  if (childrenOf(element).length > 0) return `The ${name} holds what the layout does not have.`;
  const text = element.content.replaceAll(/[\t\n\r ]/g, '');
  if (algorithm !== undefined) return text === '' ? undefined : `The ${name} holds what the layout does not have.`;
  if (text === '') return `The ${name} is empty.`;
  return base64Of(text) ? undefined : `The ${name} is not in base64.`;
}

function partsFault(element: XmlElement, name: string, parts: readonly SignaturePart[]): string | undefined {
  const children = childrenOf(element);
  const names = children.map((child) => (child.namespaceUri === signatureNamespace ? child.name : ''));
  for (const wanted of new Set(parts.map((part) => part.name))) {
    const count = names.filter((found) => found === wanted).length;
    const due = parts.filter((part) => part.name === wanted).length;
    if (count < due) return `The ${name} ${due === 1 ? `has no ${wanted}` : `lack a ${wanted}`}.`;
    if (count > due)
      return due === 1 ? `The ${name} has more than one ${wanted}.` : `The ${name} hold more than the two.`;
  }
  if (names.length > parts.length || hasText(element)) return `The ${name} holds what the layout does not have.`;
  for (const [at, part] of parts.entries()) {
    const child = children[at];
    if (!child || names[at] !== part.name) return `The parts of the ${name} are in another order.`;
    const fault = formFault(child, part);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function childrenOf(element: XmlElement): XmlElement[] {
  const children: XmlElement[] = [];
  for (let child = element.firstChild; child; child = child.next) if (child instanceof XmlElement) children.push(child);
  return children;
}

/** Whether text that is no white space stands between the elements. */
function hasText(element: XmlElement): boolean {
  for (let child = element.firstChild; child; child = child.next)
    if ((child instanceof XmlText || child instanceof XmlCData) && child.content.trim() !== '') return true;
  return false;
}

/** The bytes of a text in base64, white space apart; `undefined` where it is none, or one in which bits are left over. */
export function base64Of(text: string): Buffer | undefined {
  const dense = text.replaceAll(/[\t\n\r ]/g, '');
  const bytes = Buffer.from(dense, 'base64');
  return bytes.toString('base64') === dense ? bytes : undefined;
}
