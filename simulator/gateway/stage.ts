import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Application } from '../model/application.ts';
import type { SentHeaders } from '../model/sent-headers.ts';
import type { Service } from '../service.ts';

/** One step of the gateway: answers the request, or passes it on by answering nothing. */
export interface Stage {
  readonly name: string;
  readonly answer: (request: RequestFacts, context: Context) => Reply | undefined | Promise<Reply | undefined>;
}

/** What a request is judged by, besides itself; the same through all stages. */
export interface Context extends Service {
  /** The three signature headers as sent; empty where missing. */
  readonly sent: SentHeaders;
  /** The application that the token belongs to. */
  readonly application: Application | undefined;
  /** Unix milliseconds on the clock that judges this request: the application's, or the system's where there is none. */
  readonly nowMs: number;
}
