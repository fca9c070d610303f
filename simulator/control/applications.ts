import {
  applicationChanges,
  type ApplicationChanges,
  applicationWish,
  type ApplicationWish,
  clockAdvance,
  type ClockAdvance,
  nothing,
} from '../../schemas/control.ts';
import type { Clock } from '../model/application.ts';
import { aboutApplication, applicationView, changing, controlError, withBody, bodyReader } from './handler.ts';

/** `POST /applications`: 201 with the application and its App Secret, which is shown here only. */
export const createApplication = withBody(
  bodyReader<ApplicationWish>(applicationWish),
  ({ clock, ...wish }, { state }) => {
    const made = state.applications.create({ ...wish, ...(clock === undefined ? {} : { clock: clockOf(clock) }) });
    return { status: 201, body: { ...applicationView(made.application), appSecret: made.appSecret } };
  },
);

/** `GET /applications/{appKey}`. */
export const showApplication = aboutApplication((application) => ({ status: 200, body: applicationView(application) }));

/** `PATCH /applications/{appKey}`; a rate limit, also an unchanged one, starts afresh. */
export const changeApplication = changing(
  bodyReader<ApplicationChanges>(applicationChanges),
  (before, changes, { state }) => {
    if (changes.rateLimit !== undefined) state.rateWindows.delete(before.appKey);
    return { status: 200, body: applicationView(state.applications.update(before.appKey, changes) ?? before) };
  },
);

/** `POST /applications/{appKey}/secret`: a rotation. Section 2.1. */
export const rotateSecret = changing(bodyReader<object>(nothing), ({ appKey }, _, { state, rules }) => ({
  status: 200,
  body: { appSecret: state.applications.rotate(appKey, rules.token.secretsAfterRotation) },
}));

/** `POST /applications/{appKey}/clock`: moves a test clock on; 409 for an application on the system clock. */
export const advanceClock = changing(
  bodyReader<ClockAdvance>(clockAdvance),
  async ({ appKey, clock }, body, { timeline }) => {
    if (clock === 'system') return controlError(409, 'The application is on the system clock, which only time moves.');
    const byMs = Math.round(body.advanceSeconds * 1000);
    if (clock + byMs > latestMs)
      return controlError(400, 'The field advanceSeconds would move the clock beyond the year 9999.');
    const nowMs = await timeline.advance(appKey, byMs, body.wait ?? 'attempts');
    return { status: 200, body: { now: new Date(nowMs).toISOString() } };
  },
);

/** Later times have no ISO form of the usual length. */
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function clockOf(clock: string): Clock {
  return clock === 'system' ? clock : Date.parse(clock);
}
