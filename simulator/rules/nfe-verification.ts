import type { IncomingHttpHeaders } from 'node:http';
import { headerOf } from '../http/request-facts.ts';
import type { Findings, Verdict, Verification } from '../model.ts';
import { failingChave } from '../verification/authority-answer.ts';
import { type DocumentFault, decodeXml, type ScanFault, scanXml } from '../verification/document.ts';
import { verificationRefusals, type VerificationRefusals } from './refusal.ts';

/** Why a body is not judged. Section 7.3. */
export type BodyFault = 'empty' | 'tooLarge' | 'encoding' | ScanFault | DocumentFault;

/** What a body is to be, before it is judged. Sections 4.1, 7.3 and 8. */
export interface BodyRules {
  readonly largestBytes: number;
  readonly isEmpty: (rawBody: Buffer) => boolean;
  /** The text of those bytes; `undefined` where they contradict their encoding. */
  readonly decode: (rawBody: Buffer) => string | undefined;
  readonly scan: (text: string) => ScanFault | undefined;
  /** Whether what an `Id` holds may be an access key. */
  readonly isChave: (text: string) => boolean;
}

/** What is verified of a document, and how that is answered. Sections 4.1, 7.3 and 8. */
export interface NfeVerificationRules extends BodyRules {
  readonly status: number;
  readonly body: (verdict: Verdict) => unknown;
  readonly refusals: VerificationRefusals;
  /** Whether the service itself fails with that chave. */
  readonly fails: (chave: string) => boolean;
  /** Whether the authority is asked anew, whatever is known. */
  readonly isForced: (headers: IncomingHttpHeaders) => boolean;
  /** Whether what was verified last is this very document. */
  readonly isSameDocument: (latest: Verification, documentHash: string) => boolean;
  /** Whether the verdict settles, and is told, after the answer. */
  readonly settles: (findings: Findings) => boolean;
}

export const nfeVerificationRules: NfeVerificationRules = {
  status: 200,
  body: (verdict) => ({ chaveAcesso: verdict.chaveAcesso, validation: verdict }),
  refusals: verificationRefusals,
  // 1 MB: more than 1,000,000 bytes is let pass, more than 2^20 is not.
  largestBytes: 1_048_576,
  isEmpty: (rawBody) => /^(?:\xEF\xBB\xBF)?\s*$/.test(rawBody.toString('latin1')),
  decode: decodeXml,
  scan: scanXml,
  isChave: (text) => /^\d{44}$/.test(text),
  fails: (chave) => chave === failingChave,
  isForced: (headers) => headerOf(headers, 'forcerevalidate')?.toLowerCase() === 'true',
  isSameDocument: (latest, documentHash) => latest.documentHash === documentHash,
  settles: () => true,
};
