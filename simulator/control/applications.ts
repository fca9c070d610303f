import {
  applicationChanges,
  type ApplicationChanges,
  applicationWish,
  type ApplicationWish,
  clockAdvance,
  type ClockAdvance,
  nothing,
} from '../../schemas/control.ts';
import type { Reply } from '../http/reply.ts';
import type { Application, Clock } from '../model/application.ts';
import { applicationView, bodyReader, controlError, type ControlHandler, unknownApplication } from './handler.ts';

const readWish = bodyReader<ApplicationWish>(applicationWish);
const readChanges = bodyReader<ApplicationChanges>(applicationChanges);
const readAdvance = bodyReader<ClockAdvance>(clockAdvance);
const readNothing = bodyReader<object>(nothing);

/** `POST /applications`: 201 with the application and its App Secret, which is shown here only. */
export const createApplication: ControlHandler = ({ rawBody }, { state: { applications } }) => {
  const read = readWish(rawBody);
  if ('error' in read) return controlError(400, read.error);
  const { clock, ...wish } = read.value;
  const made = applications.create({ ...wish, ...(clock === undefined ? {} : { clock: clockOf(clock) }) });
  return { status: 201, body: { ...applicationView(made.application), appSecret: made.appSecret } };
};

/** `GET /applications/{appKey}`. */
export const showApplication: ControlHandler = ({ variables }, { state: { applications } }) =>
  shown(applications.findByKey(variables['appKey'] ?? ''));

/** `PATCH /applications/{appKey}`; a rate limit, also an unchanged one, starts afresh. */
export const changeApplication: ControlHandler = ({ variables, rawBody }, { state: { applications, rateWindows } }) => {
  const read = readChanges(rawBody);
  if ('error' in read) return controlError(400, read.error);
  const { appKey = '' } = variables;
  if (read.value.rateLimit !== undefined) rateWindows.delete(appKey);
  return shown(applications.update(appKey, read.value));
};

/** `POST /applications/{appKey}/secret`: a rotation. Section 2.1. */
export const rotateSecret: ControlHandler = ({ variables, rawBody }, { state: { applications }, rules }) => {
  const read = readNothing(rawBody);
  if ('error' in read) return controlError(400, read.error);
  const appSecret = applications.rotate(variables['appKey'] ?? '', rules.token.secretsAfterRotation);
  return appSecret === undefined ? unknownApplication : { status: 200, body: { appSecret } };
};

/** `POST /applications/{appKey}/clock`: moves a test clock on; 409 for an application on the system clock. */
export const advanceClock: ControlHandler = async ({ variables, rawBody }, { state: { applications }, timeline }) => {
  const read = readAdvance(rawBody);
  if ('error' in read) return controlError(400, read.error);
  const application = applications.findByKey(variables['appKey'] ?? '');
  if (!application) return unknownApplication;
  if (application.clock === 'system') {
    return controlError(409, 'The application is on the system clock, which only time moves.');
  }
  const { advanceSeconds, wait = 'attempts' } = read.value;
  const untilMs = application.clock + Math.round(advanceSeconds * 1000);
  if (untilMs > latestMs)
    return controlError(400, 'The field advanceSeconds would move the clock beyond the year 9999.');
  const nowMs = await timeline.advance(application.appKey, Math.round(advanceSeconds * 1000), wait);
  return { status: 200, body: { now: new Date(nowMs).toISOString() } };
};

/** Later times have no ISO form of the usual length. */
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function shown(application: Application | undefined): Reply {
  return application ? { status: 200, body: applicationView(application) } : unknownApplication;
}

function clockOf(clock: string): Clock {
  return clock === 'system' ? clock : Date.parse(clock);
}
