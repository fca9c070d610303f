import { codes } from '../../contract/values.ts';
import { endpoint } from '../../contract/endpoints.ts';
import type { TargetAddress } from '../../targets/address.ts';
import { echoCall } from '../../generators/calls.ts';
import { answerText, isRefusal, type TargetAnswer, type Silence, obstacleIn } from './answer.ts';
import { ok, problem, type Remark } from './finding.ts';
import { placeOf, proxyFor, proxyText, type Proxy } from './proxy.ts';
import type { Asked, Session } from './session.ts';
import { judgeDistrust, speaksTls } from './tls.ts';

const examined = 'echo';

/** What echo is sent, and has to return. */
export const echoMessage = 'preflight';

/** A correct echo of the preflight. */
export const preflightEcho = echoCall(echoMessage);

/**
 * Examines whether an echo endpoint of the contract is where the settings say, whatever it thinks of the application: not a
 * firewall, a portal, a redirect or a port that speaks another protocol.
 */
export async function examineEcho(session: Session, { answer }: Asked, address: TargetAddress): Promise<Remark> {
  const { baseUrl, network = {} } = address;
  const judged = throughProxy(judgeEcho(answer, baseUrl), answer, proxyFor(new URL(baseUrl), network));
  if (await isPlainOnTls(answer, baseUrl, network.extraCa)) {
    return problem(
      examined,
      `${baseUrl} speaks TLS, not plain http (${answerText(answer)})`,
      `set NFE_BASE_URL to ${baseUrl.replace(/^http:/, 'https:')}`,
    );
  }
  if (judged.state === 'ok' && (await isPortal(session, answer))) {
    const empty = 'form' in answer && answer.form === 'nothing' ? ' and nothing' : '';
    return problem(
      examined,
      `${baseUrl} answers ${answerText(answer)}${empty} to everything, also to a request that makes no sense`,
      'a portal or a stub stands in place of the service: check NFE_BASE_URL and the network',
      'network',
    );
  }
  return judged;
}

/** A proxy that answers in the target's place is named, since it is the one to ask. */
function throughProxy(finding: Remark, answer: TargetAnswer | Silence, proxy: Proxy | undefined): Remark {
  if (finding.state !== 'problem' || !proxy) return finding;
  const { variable } = proxy;
  const isAskingWho = 'error' in answer ? answer.error.includes('(407)') : answer.status === 407;
  const advice = isAskingWho
    ? `put its user and password into ${variable}, http://user:password@host:port`
    : `check that proxy, or name the host in NO_PROXY if it is reached straight; ${finding.advice ?? ''}`;
  return { ...finding, found: `${finding.found}, through ${proxyText(proxy)}`, advice, trouble: 'network' };
}

/** Judges whether an echo endpoint is there, as far as one answer tells. */
export function judgeEcho(answer: TargetAnswer | Silence, baseUrl: string): Remark {
  if ('error' in answer) {
    const distrust = judgeDistrust(examined, new URL(baseUrl).hostname, answer.error);
    if (distrust) return distrust;
    const found = `${baseUrl} gives no answer (${answer.error})`;
    return problem(examined, found, 'check the address, the network and the proxy', 'network');
  }
  const { status } = answer;
  const found = `${baseUrl} answers ${answerText(answer)}`;
  if (status === 429) {
    const advice = 'wait until the limit is over, ask for a higher one for this application, or set NFE_MAX_RPS lower';
    const isPage = answer.form === 'page';
    const said = isPage ? `${found} with an HTML page to the first requests` : `${found} to the first requests`;
    return problem(examined, said, advice);
  }
  const obstacle = obstacleIn(answer, baseUrl);
  if (obstacle) return problem(examined, `${baseUrl} ${obstacle.found}`, obstacle.advice, obstacle.trouble);
  const prefixAdvice = 'check NFE_BASE_URL: it ends where /openapi begins';
  if (status === 404 || status === 405) return problem(examined, `${found}: no echo endpoint is there`, prefixAdvice);
  if (isRefusal(answer, codes.signMismatch) && /\/openapi(?:\/|$)/i.test(baseUrl)) {
    return problem(examined, `${found}, and holds /openapi itself`, prefixAdvice);
  }
  return ok(examined, found);
}

/** A plain request to a port that speaks TLS is answered with a complaint or not at all. */
async function isPlainOnTls(
  answer: TargetAnswer | Silence,
  baseUrl: string,
  extraCa: string | undefined,
): Promise<boolean> {
  const url = new URL(baseUrl);
  const toPlain = 'error' in answer ? 'silent' : 'answered';
  const isComplaint = 'error' in answer || (answer.status === 400 && answer.code === undefined);
  return url.protocol === 'http:' && isComplaint && (await speaksTls(placeOf(url), extraCa, toPlain));
}

/** Whether a success that returns nothing of what was sent is given to a request that makes no sense, too. */
async function isPortal(session: Session, answer: TargetAnswer | Silence): Promise<boolean> {
  if ('error' in answer || answer.status >= 300 || answer.data['echo'] === echoMessage) return false;
  const { method } = endpoint('echo');
  const rawBody = Buffer.from('no sense');
  const call = { method, path: '/openapi/conformance-probe/nowhere', contentType: 'text/plain', rawBody };
  const { answer: other } = await session.send({ call, token: 'nobody', timestamp: '0' });
  return 'status' in other && other.status < 300;
}
