import { refuse } from '../rules/envelope.ts';
import type { Stage } from './stage.ts';

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
