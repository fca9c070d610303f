import { codes } from '../../contract/codes.ts';
import { pageAdvice, pageFound } from '../html-page.ts';
import { answerText, isRefusal, type Answer, type Silence } from './answer.ts';
import { ok, problem, type Finding } from './finding.ts';

const examined = 'echo';

/** Judges whether an echo endpoint is where the settings say, whatever it thinks of the application. */
export function judgeEcho(answer: Answer | Silence, baseUrl: string): Finding {
  if ('error' in answer) {
    return problem(
      examined,
      `${baseUrl} gives no answer (${answer.error})`,
      'check the address, the network and the proxy',
    );
  }
  const { status, isPage } = answer;
  const found = `${baseUrl} answers ${answerText(answer)}`;
  if ([502, 503, 504].includes(status)) return problem(examined, found, 'it is not available now: try again later');
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) {
    return problem(examined, `${found}: no echo endpoint is there`, 'NFE_BASE_URL ends where /openapi begins');
  }
  if (isRefusal(answer, codes.signMismatch) && /\/openapi(?:\/|$)/i.test(baseUrl)) {
    return problem(examined, `${found}, and holds /openapi itself`, 'NFE_BASE_URL ends where /openapi begins');
  }
  if (status === 407) return problem(examined, found, 'put user and password into the address of the proxy');
  if (isPage) return problem(examined, `${found} ${pageFound}`, pageAdvice);
  return ok(examined, found);
}
