import type { CodeName } from '../../contract/values.ts';
import { endpoint, type RetiredEndpoint, retiredEndpoints } from '../../contract/endpoints.ts';
import { pathMatcher } from './route.ts';

/** Which endpoints are retired, and what the answer names instead. Section 4.3. */
export interface RetirementRules {
  /** The retired endpoint that a request addresses; `undefined` for any other. */
  readonly find: (method: string, path: string) => RetiredEndpoint | undefined;
  /** What takes the place of `<replacement>` in the message; the same in every language. */
  readonly replacementText: (retired: RetiredEndpoint) => string;
  readonly code: CodeName;
}

const routes = retiredEndpoints.map((retired) => ({ retired, match: pathMatcher(retired.path) }));

export const retirementRules: RetirementRules = {
  // A retired path is gone for every method: there is nothing left that another method could mean.
  find: (_method, path) => routes.find(({ match }) => match(path))?.retired,
  replacementText({ replacement, field }) {
    const { method, path } = endpoint(replacement);
    return `${method} ${path}${field === undefined ? '' : ` (field ${field})`}`;
  },
  code: 'retired',
};
