import { refuse } from '../rules/envelope.ts';
import type { Stage } from './stage.ts';

/** Refuses a request that lacks one of the required headers. */
export const requiredHeadersStage: Stage = {
  name: 'required-headers',
  answer(request, { rules }) {
    const { names, headerValue, isMissing, code } = rules.requiredHeaders;
    return names.some((name) => isMissing(headerValue(request, name))) ? refuse(code, request, rules) : undefined;
  },
};
