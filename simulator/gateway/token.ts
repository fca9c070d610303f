import type { CodeName } from '../../contract/codes.ts';
import type { Application } from '../model/application.ts';
import type { ApplicationStore } from '../state/applications.ts';
import { refuse } from './envelope.ts';
import type { Stage } from './stage.ts';

/** Whose token it is, and what a rotation leaves valid. Section 2.1. */
export interface TokenRules {
  /** The application that a token belongs to. */
  readonly find: (applications: ApplicationStore, token: string) => Application | undefined;
  /** The App Secrets that are valid from a rotation on, oldest first. */
  readonly secretsAfterRotation: (oldSecrets: readonly string[], fresh: string) => readonly string[];
  readonly code: CodeName;
}

export const tokenRules: TokenRules = {
  find: (applications, token) => applications.findBySecret(token),
  secretsAfterRotation: (_oldSecrets, fresh) => [fresh],
  code: 'tokenInvalid',
};

/** Refuses a request whose token belongs to no application. */
export const tokenStage: Stage = {
  name: 'token',
  answer(request, { rules, application }) {
    return application ? undefined : refuse(rules.token.code, request, rules);
  },
};
