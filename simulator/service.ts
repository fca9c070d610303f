import type { Rules } from './rules/rules.ts';
import type { State } from './state/state.ts';
import type { Timeline } from './timeline.ts';
import type { Sender } from './webhooks/sender.ts';

/** What a simulator decides by, and what it remembers. */
export interface ServiceParts {
  readonly rules: Rules;
  readonly state: State;
  /** Where callers reach it, without a trailing slash: links to documents start with it. */
  readonly publicUrl: () => string;
  /** Starts the names of the five headers of deliveries, such as `X-Service`. */
  readonly headerPrefix: string;
  readonly sender: Sender;
}

/** A running simulator, as its parts see it. */
export interface Service extends ServiceParts {
  readonly timeline: Timeline;
}
