import type { View } from './veil.ts';
import { isOfContract } from './words.ts';

/** Words that stand in the paths of links to documents. */
const pathWords = new Set([
  'documentos',
  'documents',
  'danfe',
  'xml',
  'pdf',
  'download',
  'files',
  'hook',
  'webhook',
  'webhooks',
  'api',
]);

/** The address of a link: scheme and host, and of the rest what is the contract's, the suite's own or hidden already. */
export function shownLink(url: string, view: View): string {
  if (view.isOwn(url)) return url;
  const scheme = /^https?:\/\//i.exec(url)?.[0];
  if (scheme === undefined || url.length > longest) return view.hide(url);
  const rest = url.slice(scheme.length);
  const hostLength = rest.search(/[/?#]/);
  const host = hostLength === -1 ? rest : rest.slice(0, hostLength);
  return scheme + (isHost(host) ? host : view.hide(host)) + shownTarget(rest.slice(host.length), view);
}

/** A path with its query of somebody else's making: the same of its pieces. */
export function shownTarget(target: string, view: View): string {
  if (view.isOwn(target)) return target;
  return target
    .split(/([/?#&=;])/)
    .map((piece, index) => (index % 2 === 1 ? piece : shownPiece(piece, view)))
    .join('');
}

const longest = 2_000;

function shownPiece(piece: string, view: View): string {
  const isShown = view.isOwn(piece) || pathWords.has(piece) || /^(?:v?\d{1,2})?$/.test(piece) || isOfContract(piece);
  return isShown ? piece : view.hide(piece);
}

/** A host by name or number, and perhaps a port: no words with blanks, and no number that is somebody's. */
function isHost(host: string): boolean {
  return host.length <= 253 && /^[a-z\d.-]+(?::\d{1,5})?$/i.test(host) && !/\d{6}/.test(host);
}
