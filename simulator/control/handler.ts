import type { PathVariables } from '../http/path.ts';
import type { Reply } from '../http/reply.ts';
import type { Service } from '../service.ts';

/** A request of the control API, after its token was accepted. */
export interface ControlCall {
  readonly variables: PathVariables;
  readonly rawBody: Buffer;
}

/** Answers one route of the control API. */
export type ControlHandler = (call: ControlCall, service: Service) => Reply | Promise<Reply>;
