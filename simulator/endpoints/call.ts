import type { Application } from '../model/application.ts';
import type { Service } from '../service.ts';

/** What an endpoint answers by, besides the request: the service, and who calls it. */
export interface Call extends Service {
  /** The application that the gateway has let through. */
  readonly caller: Application;
  /** Unix milliseconds on the caller's clock. */
  readonly nowMs: number;
}
