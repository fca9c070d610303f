import { chaveIn, xmlLinkIn } from '../../contract/values.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { NeedName } from '../../contract/clause.ts';
import { alterations } from '../../generators/nfe-documents.ts';
import type { ProfileFile } from '../../targets/profile.ts';
import { jsonOf, said, verify, type Verified } from '../../runner/preflight/profile-tries.ts';
import { filesIn, type Candidate, gathered, judged, type Gathered, type Search, type SoughtFile } from './search.ts';

/** A document that was verified, and what came of it. */
interface TriedDocument extends Verified {
  readonly candidate: Candidate;
}

const files = { VALIDATED: 'verificacao.autorizada.xml', REJECTED: 'verificacao.rejeitada.xml' } as const;

type Verdict = keyof typeof files;

/**
 * Finds a document that is found valid and one that is rejected, each taken for its verdict. Where the folders have none, the
 * invoice that was just authorised there is tried, and what it says with a letter changed. Endpoint 8.
 */
export async function findDocuments(search: Search, authorised: Exchange | undefined): Promise<Gathered> {
  const tried: TriedDocument[] = [];
  await tryUntil('VALIDATED', search, tried, filesIn(search.sources, files.VALIDATED));
  const own = tried.some(isGiven('VALIDATED')) ? [] : await ownDocument(search, authorised);
  await tryUntil('VALIDATED', search, tried, own);
  const rejectable = filesIn(search.sources, files.REJECTED);
  await tryUntil('REJECTED', search, tried, rejectable);
  await tryUntil('VALIDATED', search, tried, rejectable);
  const valid = tried.find(isGiven('VALIDATED'));
  await tryUntil('REJECTED', search, tried, valid ? alteredOf(valid.candidate) : []);
  const rejected = tried.find(isGiven('REJECTED'));
  // A document without a good verdict still shows that there are verdicts.
  const verified = valid ?? tried.find(({ isVerdict }) => isVerdict);
  return gathered([
    sought(
      files.VALIDATED,
      verified,
      ['verified-document', ...(valid ? (['valid-document'] as const) : [])],
      valid ? undefined : search.lastWord(files.VALIDATED),
    ),
    sought(files.REJECTED, rejected, ['rejected-document'], rejected ? undefined : search.lastWord(files.REJECTED)),
  ]);
}

function sought(
  file: ProfileFile,
  document: TriedDocument | undefined,
  needs: readonly NeedName[],
  why: string | undefined,
): SoughtFile {
  return { file, ...(document ? { proven: { ...document, proved: `is ${document.status}`, needs } } : {}), why };
}

function isGiven(verdict: Verdict): (tried: TriedDocument) => boolean {
  return ({ status }) => status === verdict;
}

/** Verifies one document after the other until one gets that verdict; each only once. */
async function tryUntil(
  verdict: Verdict,
  { acting, address, tell }: Search,
  tried: TriedDocument[],
  candidates: readonly Candidate[],
): Promise<void> {
  for (const candidate of candidates) {
    if (tried.some(isGiven(verdict))) return;
    if (tried.some((one) => one.candidate.bytes.equals(candidate.bytes))) continue;
    const verified = await verify(acting.send, address.xmlContentType, candidate.bytes);
    tried.push({ ...verified, candidate });
    const words = verified.isVerdict ? `is ${verified.status}` : `gets no verdict: ${said(verified.exchange)}`;
    tell(files[verdict], verified.status === verdict ? 'ok' : 'warning', `${candidate.from}: ${words}`);
  }
}

/** The document behind the XML link of an invoice, where it is one. */
async function ownDocument({ acting, tell }: Search, authorised: Exchange | undefined): Promise<Candidate[]> {
  const link = authorised && xmlLinkIn(jsonOf(authorised));
  if (link === undefined) return [];
  const from = 'the XML of the invoice that was just authorised';
  const exchange = await acting.target.download(link);
  const bytes = exchange.response?.rawBody ?? Buffer.alloc(0);
  if (judged(exchange) === 'accepted' && chaveIn(bytes.toString('utf8')) !== undefined) return [{ from, bytes }];
  const status = exchange.response?.status ?? exchange.error;
  tell(files.VALIDATED, 'warning', `${from}: its link gives no document (${status})`);
  return [];
}

function alteredOf({ from, bytes }: Candidate): Candidate[] {
  const [document] = alterations(bytes.toString('utf8'));
  return document === undefined
    ? []
    : [{ from: `${from}, a letter of it changed`, bytes: Buffer.from(document, 'utf8') }];
}
