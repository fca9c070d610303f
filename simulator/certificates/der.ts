import forge from 'node-forge';

export type Asn1 = forge.asn1.Asn1;

/** The ASN.1 value that those bytes hold; throws for anything else, and for one nested deeper than 256. */
export function fromDer(bytes: Buffer): Asn1 {
  return forge.asn1.fromDer(bytes.toString('latin1'));
}

export function toDer(node: Asn1): Buffer {
  return Buffer.from(forge.asn1.toDer(node).getBytes(), 'latin1');
}

/** The elements of a SEQUENCE, a SET or a tag; throws for a value without elements. */
export function elements(node: Asn1): readonly Asn1[] {
  if (!Array.isArray(node.value)) throw new Error('the ASN.1 value has no elements');
  return node.value;
}

/** The element that a way of positions leads to; throws where there is none. */
export function elementAt(node: Asn1, ...positions: readonly number[]): Asn1 {
  return positions.reduce((from, position) => {
    const found = elements(from)[position];
    if (!found) throw new Error('the ASN.1 value has too few elements');
    return found;
  }, node);
}

/** The bytes of a string; BER may have cut them into pieces. */
export function octetsOf(node: Asn1): Buffer {
  if (typeof node.value === 'string') return Buffer.from(node.value, 'latin1');
  return Buffer.concat(node.value.map(octetsOf));
}

/** An object identifier with its dots. */
export function oidOf(node: Asn1): string {
  return forge.asn1.derToOid(octetsOf(node).toString('latin1'));
}

/** An INTEGER taken as unsigned; one of more than 53 bits loses its last digits. */
export function integerOf(node: Asn1): number {
  return Number(`0x${octetsOf(node).toString('hex')}`);
}
