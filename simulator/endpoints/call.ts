import type { Reply } from '../http/reply.ts';
import type { Application } from '../model/application.ts';
import type { Refusal } from '../rules/refusal.ts';
import type { Service } from '../service.ts';

/** What an endpoint answers by, besides the request: the service, and who calls it. */
export interface Call extends Service {
  /** The application that the gateway has let through. */
  readonly caller: Application;
  /** Unix milliseconds on the caller's clock. */
  readonly nowMs: number;
  /** The answer that refuses for these reasons, in the shape of the endpoint. */
  readonly refuse: (...reasons: readonly Refusal[]) => Reply;
}
