import type { CodeName } from '../../contract/codes.ts';
import { signatureHeaders } from '../../contract/request.ts';
import { headerOf, type RequestFacts } from '../http/request-facts.ts';
import { refuse } from './envelope.ts';
import type { Stage } from './stage.ts';

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

/** Refuses a request that lacks one of the required headers. */
export const requiredHeadersStage: Stage = {
  name: 'required-headers',
  answer(request, { rules }) {
    const { names, headerValue, isMissing, code } = rules.requiredHeaders;
    return names.some((name) => isMissing(headerValue(request, name))) ? refuse(code, request, rules) : undefined;
  },
};
