import { SaxesParser } from 'saxes';

/** What reading a document came to. */
export type Reading =
  | { readonly kind: 'refused'; readonly code: string; readonly why: string }
  | { readonly kind: 'broken' }
  | { readonly kind: 'read'; readonly document: string; readonly chave: string | undefined };

const largestBytes = 1_048_576;

/** Reads a document for verification; `refused` is what section 7.3 fixes at 400, `broken` is what is not well-formed. */
export function readXml(rawBody: Buffer): Reading {
  if (rawBody.toString('latin1').trim() === '') return refused('VX-1', 'Documento vazio.');
  if (rawBody.length > largestBytes) return refused('VX-2', 'Documento acima de 1 MB.');
  const document = decoded(rawBody);
  if (document === undefined) return refused('VX-3', 'Codificação não suportada: use UTF-8.');
  const { hasDoctype, isBroken, chave } = scanned(document);
  if (hasDoctype) return refused('VX-4', 'DTD não é permitida.');
  return isBroken ? { kind: 'broken' } : { kind: 'read', document, chave };
}

function refused(code: string, why: string): Reading {
  return { kind: 'refused', code, why };
}

/** The text of a body in UTF-8 that does not declare to be anything else. */
function decoded(rawBody: Buffer): string | undefined {
  const declaration = /^[^<]{0,8}<\?xml[^>]*/.exec(rawBody.toString('latin1'))?.[0] ?? '';
  const declared = /\sencoding\s*=\s*["']([^"']*)/.exec(declaration)?.[1];
  if (declared !== undefined && declared.toLowerCase() !== 'utf-8') return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(rawBody);
  } catch {
    return undefined;
  }
}

function scanned(document: string): { hasDoctype: boolean; isBroken: boolean; chave: string | undefined } {
  const found: ReturnType<typeof scanned> = { hasDoctype: false, isBroken: false, chave: undefined };
  const parser = new SaxesParser({ xmlns: true });
  parser.on('doctype', () => void (found.hasDoctype = true));
  parser.on('error', () => void (found.isBroken = true));
  parser.on('opentag', ({ local, attributes }) => {
    const id = attributes['Id']?.value ?? '';
    if (local === 'infNFe') found.chave ??= /^NFe(\d{44})$/.exec(id)?.[1];
  });
  parser.write(document).close();
  return found;
}
