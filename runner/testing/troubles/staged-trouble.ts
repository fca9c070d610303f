import type { ApplicationWish } from '../../../targets/control.ts';

/** A server that keeps the contract, which trouble is put in front of. */
export interface Upstream {
  readonly baseUrl: string;
  /** The App Secret of a new application: active and subscribed to everything, but for what is wished. */
  readonly secret: (wish?: ApplicationWish) => Promise<string>;
}

/** Trouble that is up. */
export interface Staged {
  /** What a person would set: settings of the suite, and variables of the network. */
  readonly settings: Readonly<Record<string, string>>;
  /** Texts that must show nowhere, besides the secrets among the settings. */
  readonly hidden?: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Trouble in front of a right server, and what the one line about it holds: with it nobody can be judged. */
export interface StagedTrouble {
  /** What a person would call it: the title of its test. */
  readonly name: string;
  readonly start: (upstream: Upstream) => Promise<Staged>;
  /** The cause: all of these are found in the line. */
  readonly says: readonly RegExp[];
  /** What to do: likewise. */
  readonly advises: readonly RegExp[];
  /** Settings and variables that the line of `npm test` names; the doctor may say the same in the words of its finding. */
  readonly names?: readonly string[];
}
