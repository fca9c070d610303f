import type { Call } from '../../contract/request.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { echoCall } from '../../generators/calls.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import type { Caller } from '../../targets/applications.ts';
import type { Trial } from './trial.ts';

/** Enough for two windows of the limit that the control API sets. */
const burstWithControl = 20;

/** Cases that a limit is spent for: each of them may take a whole burst. */
export const mostBursts = 3;

/** The first answer that is no 200; the last one where all are. Gives up on a server whose limit nobody told us. */
export async function untilLimited(
  t: Trial,
  caller: Caller,
  call: Call = echoCall('until the limit'),
): Promise<Exchange> {
  const { control, rateBurst } = t.target.address;
  const most = control ? burstWithControl : rateBurst;
  for (let sent = 1; ; sent++) {
    const exchange = await t.sendUnderLimit(caller, call);
    if (exchange.response?.status !== 200 || (control && sent === most)) return exchange;
    if (sent === most) {
      throw new NotExercised(`no limit within ${most} requests: NFE_RATE_BURST sets how many are tried`, 'settings');
    }
  }
}
