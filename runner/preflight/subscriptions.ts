import { codes } from '../../contract/values.ts';
import { endpoint, endpoints, scopeOf, type EndpointName } from '../../contract/endpoints.ts';
import { probeCall } from '../../generators/calls.ts';
import { counted } from '../../reports/language.ts';
import type { TargetAddress } from '../../targets/address.ts';
import { answerText, isRefusal, type TargetAnswer, type Silence, obstacleIn, unavailable } from './answer.ts';
import { ok, problem, warning, type Remark } from './finding.ts';
import type { Session } from './session.ts';

/** Asks every endpoint but echo once, with calls that change nothing, whether the application may call it. */
export async function examineSubscriptions(
  session: Session,
  { kind, baseUrl, xmlContentType }: TargetAddress,
  secret: string,
  skewSeconds: number,
): Promise<Remark[]> {
  const names = endpoints.map(({ name }) => name).filter((name) => name !== 'echo' && !isLeftOut(name, kind));
  const found: Remark[] = [];
  for (const name of names) {
    const { answer } = await session.ask(secret, probeCall(name, xmlContentType), skewSeconds);
    found.push(...judgeProbe(name, answer, baseUrl));
  }
  const passed = `${counted(names.length - found.length, 'endpoint')} of ${names.length} beyond echo let the application pass`;
  const leftOut =
    kind === 'sandbox'
      ? '; registrations and issuance were not asked, since a lenient server might take the question for one'
      : '';
  return [ok('subscriptions', `${passed}${leftOut}`), ...found];
}

/** A sandbox might keep what it ought to refuse. */
function isLeftOut(name: EndpointName, kind: TargetAddress['kind']): boolean {
  return kind === 'sandbox' && endpoint(name).makesNew === true;
}

/** Judges what an endpoint answers to its probe; nothing where the gateway lets it pass. */
export function judgeProbe(name: EndpointName, answer: TargetAnswer | Silence, baseUrl: string): Remark[] {
  const { method, path } = endpoint(name);
  const examined = `subscription to ${scopeOf(endpoint(name))}`;
  const says = `${method} ${path} answers ${answerText(answer)}`;
  if ('error' in answer) return [warning(examined, says, "try again: the subscription can't be told")];
  const obstacle = obstacleIn(answer, baseUrl);
  // Unavailable here alone, while echo is there, is an answer of this endpoint's.
  if (obstacle && !unavailable.has(answer.status)) {
    const what = `${method} ${path} (${bodyKind(name)}) ${obstacle.found}, while echo gets through`;
    return [problem('way to the endpoints', what, obstacle.advice, obstacle.trouble)];
  }
  if (isRefusal(answer, codes.notSubscribed)) {
    return [warning(examined, says, 'subscribe the application of NFE_APP_SECRET to this scope')];
  }
  if (![401, 403, 429].includes(answer.status)) return [];
  return [warning(examined, says, 'echo lets this application pass: npm test tells whether the target deviates')];
}

/** What an endpoint is sent, as a firewall tells requests apart. */
function bodyKind(name: EndpointName): string {
  if (name === 'nfe-verification') return 'XML body';
  if (name === 'certificado-association') return 'multipart body';
  return ['GET', 'DELETE'].includes(endpoint(name).method) ? 'no body' : 'JSON body';
}
