import type { SignedParts } from '../../contract/request.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Application, SentHeaders } from '../model.ts';
import { refuse } from '../rules/envelope.ts';
import { bodyTooLarge, refuseFor } from '../rules/refusal.ts';
import { isSignedAsEmpty, type SignatureRules } from '../rules/signature.ts';
import type { Service } from '../service.ts';

/** One step of the gateway: answers the request, or passes it on by answering nothing. */
export interface Stage {
  readonly name: string;
  readonly answer: (request: RequestFacts, context: Context) => Reply | undefined | Promise<Reply | undefined>;
}

/** What a request is judged by, besides itself; the same through all stages. */
export interface Context extends Service {
  /** The three signature headers as sent; empty where missing. */
  readonly sent: SentHeaders;
  /** The application that the token belongs to. */
  readonly application: Application | undefined;
  /** Unix milliseconds on the clock that judges this request: the application's, or the system's where there is none. */
  readonly nowMs: number;
}

/** Refuses a request that lacks one of the required headers. */
export const requiredHeadersStage: Stage = {
  name: 'required-headers',
  answer(request, { rules }) {
    const { names, headerValue, isMissing, code } = rules.requiredHeaders;
    return names.some((name) => isMissing(headerValue(request, name))) ? refuse(code, request, rules) : undefined;
  },
};

/** Refuses a request whose timestamp is no time, or too far from server time. */
export const timestampStage: Stage = {
  name: 'timestamp',
  answer(request, { rules, sent, nowMs }) {
    const { parse, serverSeconds, toleranceSeconds, isWithin, code } = rules.timestamp;
    const seconds = parse(sent.timestamp);
    const isTimely = seconds !== undefined && isWithin(seconds, serverSeconds(nowMs), toleranceSeconds);
    return isTimely ? undefined : refuse(code, request, rules);
  },
};

/** Refuses a request whose token belongs to no application. */
export const tokenStage: Stage = {
  name: 'token',
  answer(request, { rules, application }) {
    return application ? undefined : refuse(rules.token.code, request, rules);
  },
};

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

/** Refuses a request for a retired endpoint, whatever its application may do. */
export const retirementStage: Stage = {
  name: 'retirement',
  answer(request, { rules }) {
    const { find, replacementText, code } = rules.retirement;
    const retired = find(request.method, request.path);
    if (!retired) return undefined;
    const { choose, retiredText } = rules.language;
    return refuse(code, request, rules, retiredText(replacementText(retired), choose(request.headers)));
  },
};

/** Refuses a request of an application that may not call, or whose integrator may not. */
export const applicationStage: Stage = {
  name: 'application',
  answer(request, { rules, application }) {
    const refusal = application && rules.application.refusal(application, rules.application);
    return refusal && refuse(refusal, request, rules);
  },
};

/** Refuses a request for an endpoint that its application is not subscribed to; an unknown path is left to be 404. */
export const subscriptionStage: Stage = {
  name: 'subscription',
  answer(request, { rules, application }) {
    const { isSubscribed, code } = rules.subscription;
    if (!application || isSubscribed(application, request, rules.subscription)) return undefined;
    return refuse(code, request, rules);
  },
};

/** Counts a request of an application with a rate limit, over all endpoints, and refuses one above the limit. */
export const rateLimitStage: Stage = {
  name: 'rate-limit',
  answer(request, context) {
    const { rules, application } = context;
    const { counts, isExceeded, code } = rules.rateLimit;
    if (!application?.rateLimit || !counts(request, application)) return undefined;
    const { limit, windowSeconds } = application.rateLimit;
    const count = countInWindow(application.appKey, windowSeconds, context);
    return isExceeded(count, limit) ? refuse(code, request, rules) : undefined;
  },
};

/** Counts one request more; gives the number in its window, this one included. */
function countInWindow(appKey: string, windowSeconds: number, { rules, state, nowMs }: Context): number {
  const { rateWindows } = state;
  const open = rateWindows.get(appKey);
  const isOver = !open || rules.rateLimit.isWindowOver(open.startMs, nowMs, windowSeconds);
  const window = isOver ? { startMs: nowMs, count: 1 } : { ...open, count: open.count + 1 };
  rateWindows.set(appKey, window);
  return window.count;
}
