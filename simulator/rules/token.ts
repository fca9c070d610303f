import type { CodeName } from '../../contract/values.ts';
import type { Application } from '../model.ts';

/** The applications, and by what they are known. */
interface KnownApplications {
  findBySecret(secret: string): Application | undefined;
  findByKey(appKey: string): Application | undefined;
  /** In the order in which they were made. */
  list(): readonly Application[];
  /** Oldest first; the last one is the current one. */
  secretsOf(appKey: string): readonly string[];
}

/** Whose token it is, and what a rotation leaves valid. Section 2.1. */
export interface TokenRules {
  /** The application that a token belongs to. */
  readonly find: (applications: KnownApplications, token: string) => Application | undefined;
  /** The App Secrets that are valid from a rotation on, oldest first. */
  readonly secretsAfterRotation: (oldSecrets: readonly string[], fresh: string) => readonly string[];
  readonly code: CodeName;
}

export const tokenRules: TokenRules = {
  find: (applications, token) => applications.findBySecret(token),
  secretsAfterRotation: (_oldSecrets, fresh) => [fresh],
  code: 'tokenInvalid',
};
