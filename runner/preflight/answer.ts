import { codes, type PlatformCode, type Trouble, isOfWay } from '../../contract/values.ts';
import { isPageText, jsonOf, pageStartBytes, type Exchange, type Response, textOf } from '../../trace/exchange.ts';
import { shortened } from '../../reports/visible.ts';

/** What an answer tells about the target and the application that asked. */
export interface TargetAnswer {
  readonly status: number;
  /** Platform code, where the body has one. */
  readonly code?: number;
  /** `data` of an echo; empty where there is none. */
  readonly data: Readonly<Record<string, unknown>>;
  /** What its body is: JSON, a page for people as a proxy or a login server sends it, another text, or nothing. */
  readonly form: 'json' | 'page' | 'text' | 'nothing';
  /** The `Date` header. */
  readonly date?: string;
  /** The `Location` header. */
  readonly location?: string;
  /** What it says of who serves and passes it on: `Server nginx/1.25.3, Via 1.1 varnish`. */
  readonly server?: string;
  /** Whether it asks for a user and a password, by `WWW-Authenticate`. */
  readonly asksForLogin?: true;
  /** Whether a simulator says that faults on demand are armed at this application. */
  readonly hasFaults?: true;
}

/** A request that got no answer, and why. */
export interface Silence {
  readonly error: string;
}

/** Reads an exchange. */
export function readAnswer({
  response,
  error = 'no response',
}: Pick<Exchange, 'response' | 'error'>): TargetAnswer | Silence {
  if (!response) return { error };
  const header = (wanted: string): string | undefined =>
    response.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const json = jsonOf(response);
  const body = asRecord(json);
  const code = Number(body['code'] ?? Number.NaN);
  const [date, location] = [header('date'), header('location')];
  const server = serverText(header('server'), header('via'));
  return {
    status: response.status,
    ...(Number.isInteger(code) ? { code } : {}),
    data: asRecord(body['data']),
    form: formOf(response, json),
    ...(date === undefined ? {} : { date }),
    ...(location === undefined ? {} : { location }),
    ...(server === '' ? {} : { server }),
    ...(header('www-authenticate') === undefined ? {} : { asksForLogin: true }),
    ...(header('x-simulator-faults') === undefined ? {} : { hasFaults: true }),
  };
}

/** Characters of a header that tell who serves: it may say what it likes. */
const longestServer = 100;

function serverText(server: string | undefined, via: string | undefined): string {
  const told = { Server: server?.trim(), Via: via?.trim() };
  return Object.entries(told)
    .filter(([, value = '']) => value !== '')
    .map(([name, value = '']) => `${name} ${shortened(value, longestServer)}`)
    .join(', ');
}

function formOf(response: Response, json: unknown): TargetAnswer['form'] {
  if (response.rawBody.length === 0) return 'nothing';
  if (json !== undefined) return 'json';
  return isPage(response) ? 'page' : 'text';
}

/** Whether it is that refusal. */
export function isRefusal(answer: TargetAnswer, { status, code }: PlatformCode): boolean {
  return answer.status === status && answer.code === code;
}

/** The refusal of the gateway that an answer is, if it is one. */
export function refusalOf(answer: TargetAnswer): PlatformCode | undefined {
  return Object.values<PlatformCode>(codes).find((refusal) => isRefusal(answer, refusal));
}

/** An answer in a word or two: "200", "403/10009004 (application disabled)". */
export function answerText(answer: TargetAnswer | Silence): string {
  if ('error' in answer) return `nothing (${answer.error})`;
  const { status, code } = answer;
  const meaning = refusalOf(answer)?.meaning;
  return `${status}${code === undefined ? '' : `/${code}`}${meaning === undefined ? '' : ` (${meaning})`}`;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/**
 * Whether a response is a page for people, as a proxy or a login server sends it: its body begins as an HTML document does,
 * or it is said to be HTML and begins as the document's head or body does.
 * The Content-Type alone proves nothing: a service that says HTML over its JSON, over nothing or over a warning in front of
 * its JSON is at fault itself.
 */
function isPage({ headers, rawBody }: Response): boolean {
  const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return isPageText(textOf({ headers, rawBody: rawBody.subarray(0, pageStartBytes) }), contentType);
}

/** Something between this machine and the service that answers in its place: what was seen, and what to do. */
interface Obstacle {
  readonly found: string;
  readonly advice: string;
  readonly trouble: Trouble;
}

/** Statuses of a page that the framework of a service may send itself: they are left to be judged. */
const ofFrameworks = new Set([400, 404, 405, 406, 409, 410, 415, 422, 500, 501]);

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
  // Whoever stands in between says where to go instead.
  if (status >= 300 && status < 400 && answer.location !== undefined)
    return redirection(answer, answer.location, baseUrl);
  if (isOfWay(status)) {
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
    const advice =
      'a firewall, a proxy or the framework of the service answers in its place: have this machine let through';
    return {
      found: `${found} with ${form === 'text' ? 'a text' : 'nothing'} where a platform envelope is to be`,
      advice,
      trouble: 'network',
    };
  }
  return undefined;
}

/** A redirect, which the contract knows none of, with where it points: its query may hold a token and is left out. */
function redirection({ status }: TargetAnswer, location: string, baseUrl: string): Obstacle {
  const to = URL.canParse(location, baseUrl) ? new URL(location, baseUrl) : undefined;
  const found = `answers ${status}, a redirect to ${to ? to.origin + to.pathname : 'nowhere that it names'}`;
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
