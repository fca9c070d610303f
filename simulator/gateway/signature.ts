import type { SignedParts } from '../../contract/request.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { SentHeaders } from '../model/sent-headers.ts';
import { refuse } from '../rules/envelope.ts';
import { bodyTooLarge, refuseFor } from '../rules/refusal.ts';
import { isSignedAsEmpty, type SignatureRules } from '../rules/signature.ts';
import type { Stage } from './stage.ts';

/** Refuses a request whose `sign` does not match it, with 400 where it can't: a signed body that was not kept whole. */
export const signatureStage: Stage = {
  name: 'signature',
  answer(request, context) {
    const { rules, sent } = context;
    const { signature } = rules;
    if (request.isBodyTooLarge && !isSignedAsEmpty(request)) return refuseFor([bodyTooLarge], request, rules);
    const right = signature.digest(signature.join(signedParts(request, sent, signature)));
    return signature.matches(sent.sign, right) ? undefined : refuse(signature.code, request, rules);
  },
};

function signedParts(request: RequestFacts, sent: SentHeaders, rules: SignatureRules): SignedParts {
  const { signedToken, signedPath, signedBody, signedTimestamp } = rules;
  return {
    token: signedToken(sent),
    path: signedPath(request),
    body: signedBody(request),
    timestamp: signedTimestamp(sent),
  };
}
