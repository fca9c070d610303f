import type { CodeName } from '../../contract/values.ts';
import { signatureHeaders } from '../../contract/request.ts';
import { headerOf, type RequestFacts } from '../http/request-facts.ts';

/** Which headers a request must carry. Section 5.1. */
export interface RequiredHeadersRules {
  /** In lower case. */
  readonly names: readonly string[];
  /** The value that a request carries under such a name. */
  readonly headerValue: (request: RequestFacts, name: string) => string | undefined;
  readonly isMissing: (value: string | undefined) => boolean;
  readonly code: CodeName;
}

export const requiredHeadersRules: RequiredHeadersRules = {
  names: signatureHeaders,
  headerValue: (request, name) => headerOf(request.headers, name),
  isMissing: (value) => value === undefined || value === '',
  code: 'headersMissing',
};
