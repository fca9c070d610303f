import type { Trouble } from '../../contract/values.ts';
import { answerText, type TargetAnswer } from './answer.ts';

/** Something between this machine and the service that answers in its place: what was seen, and what to do. */
export interface Obstacle {
  readonly found: string;
  readonly advice: string;
  readonly trouble: Trouble;
}

/** Statuses of a page that the framework of a service may send itself: they are left to be judged. */
const ofFrameworks = new Set([400, 404, 405, 410, 415, 500, 501]);
/** Statuses by which a proxy says that the service is not there now. */
export const unavailable: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * What answers a rightly signed request in place of the service, where the answer is of a kind that only a proxy, a firewall
 * or a login server gives; `undefined` where it may be the service's own.
 */
export function obstacleIn(answer: TargetAnswer, baseUrl: string): Obstacle | undefined {
  const { status, form, code, asksForLogin } = answer;
  const found = `answers ${answerText(answer)}`;
  if (status === 407) {
    const advice =
      'the proxy asks who you are: put user and password into HTTP_PROXY or HTTPS_PROXY, http://user:password@host:port';
    return { found, advice, trouble: 'settings' };
  }
  if (status >= 300 && status < 400) return redirection(answer, baseUrl);
  if (unavailable.has(status)) {
    return { found, advice: 'it is not available now: try again later', trouble: 'network' };
  }
  if (form === 'page' && !ofFrameworks.has(status)) {
    return {
      found: `${found} with an HTML page, which the service does not do`,
      advice: `${status < 300 ? 'a login or a portal' : 'a firewall or a proxy'} stands in between: have this machine let through, or check NFE_BASE_URL`,
      trouble: 'network',
    };
  }
  if (status === 401 && code === undefined && asksForLogin) {
    const advice = 'a gateway in front of the service asks for a login of its own: have this machine let through';
    return { found: `${found} and asks for a login`, advice, trouble: 'network' };
  }
  if (status === 403 && code === undefined && form !== 'json') {
    const advice = 'a firewall or a proxy stands in between: have this machine let through';
    return {
      found: `${found} with ${form === 'text' ? 'a text' : 'nothing'} where a platform envelope is to be`,
      advice,
      trouble: 'network',
    };
  }
  return undefined;
}

/** A redirect, which the contract knows none of, with where it points: its query may hold a token and is left out. */
function redirection(answer: TargetAnswer, baseUrl: string): Obstacle {
  const to =
    answer.location !== undefined && URL.canParse(answer.location, baseUrl)
      ? new URL(answer.location, baseUrl)
      : undefined;
  const found = `answers ${answer.status}, a redirect to ${to ? to.origin + to.pathname : 'nowhere that it names'}`;
  return { found, advice: redirectAdvice(to, new URL(baseUrl)), trouble: 'settings' };
}

function redirectAdvice(to: URL | undefined, base: URL): string {
  const check = 'check NFE_BASE_URL';
  if (!to) return check;
  if (/log-?in|sign-?in|\bauth|sso|oauth|saml|account/i.test(to.pathname + to.hostname)) {
    return 'a login stands in front of the service: have this machine let through, or set NFE_BASE_URL to an address without it';
  }
  const start = to.pathname.indexOf('/openapi');
  const prefix = start < 0 ? base.pathname : to.pathname.slice(0, start);
  const moved = `${to.origin}${prefix}`.replace(/(?<!\/)\/+$/, '');
  const isSameHost = to.hostname === base.hostname;
  return isSameHost ? `set NFE_BASE_URL to ${moved}` : `set NFE_BASE_URL to ${moved} if the service has moved there`;
}
