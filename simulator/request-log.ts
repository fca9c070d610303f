import type { Reply } from './http/reply.ts';
import type { RequestFacts } from './http/request-facts.ts';

/** How requests are told of, a line each; `off` not at all. */
export const logForms = ['pretty', 'json', 'off'] as const;

export type LogForm = (typeof logForms)[number];

/** One request and what it was answered. */
export interface LoggedRequest {
  /** ISO 8601, UTC, by the system clock. */
  readonly at: string;
  readonly method: string;
  /** Without the query; the token of a link to a document is left out. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** What the answer does not tell, such as fields of an issuance that the simulator does not use. */
  readonly notes: readonly string[];
}

/** Tells of a request, where anybody listens. */
export type RequestLog = (request: LoggedRequest) => void;

/** A log that writes lines of that form; `undefined` for none. */
export function requestLog(form: LogForm, write: (line: string) => void): RequestLog | undefined {
  if (form === 'off') return undefined;
  return (request) => write(`${form === 'json' ? JSON.stringify(request) : prettyLine(request)}\n`);
}

function prettyLine({ at, method, path, status, ms, notes }: LoggedRequest): string {
  const told = notes.map((note) => `  ${note}`).join('');
  // Names that somebody sends are no lines of this log's own.
  return `${at.slice(11, 23)} ${status} ${method} ${path} ${ms} ms${told}`.replaceAll(/\p{C}/gu, '?');
}

/** Answers, and tells the log of it. */
export async function logged(
  request: Pick<RequestFacts, 'method' | 'path'>,
  answer: () => Promise<Reply>,
  log: RequestLog,
): Promise<Reply> {
  const startedMs = Date.now();
  const reply = await answer();
  log({
    at: new Date(startedMs).toISOString(),
    method: request.method,
    path: request.path.replace(secretOfLink, '$1…'),
    status: reply.status,
    ms: Date.now() - startedMs,
    notes: reply.notes ?? [],
  });
  return reply;
}

/** What follows the folder of documents is the link's token. */
const secretOfLink = /^(\/documentos\/).*/;
