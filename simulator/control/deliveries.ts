import { nothing } from '../../schemas/control.ts';
import { nowMs } from '../clock.ts';
import type { DeliveryRecord } from '../model/delivery.ts';
import type { ControlHandler } from './handler.ts';
import { bodyReader } from './read-body.ts';
import { controlError, unknownApplication } from './reply.ts';

const readNothing = bodyReader<object>(nothing);

/** `GET /applications/{appKey}/deliveries`: all of them, oldest first. */
export const listDeliveries: ControlHandler = ({ variables }, { state }) => {
  const application = state.applications.findByKey(variables['appKey'] ?? '');
  if (!application) return unknownApplication;
  return { status: 200, body: state.deliveryRecords(application.appKey).map(deliveryView) };
};

/** `POST /applications/{appKey}/deliveries/{eventId}/redeliver`: 202; a manual re-push. Section 6.4. */
export const redeliver: ControlHandler = ({ variables, rawBody }, { state, timeline }) => {
  const read = readNothing(rawBody);
  if ('error' in read) return controlError(400, read.error);
  const application = state.applications.findByKey(variables['appKey'] ?? '');
  if (!application) return unknownApplication;
  const { appKey, clock } = application;
  const deliveries = state.outbox.deliveriesOf(appKey, variables['eventId'] ?? '');
  if (deliveries.length === 0) return controlError(404, 'The application has no event of this id.');
  const owed = deliveries.filter(({ state }) => state !== 'delivered');
  state.transaction(() => {
    for (const { delivery, targetId } of owed.length > 0 ? owed : deliveries) {
      state.outbox.plan({ delivery, targetId, appKey }, 'manual', nowMs(clock));
    }
  });
  timeline.touch(appKey);
  return { status: 202 };
};

function deliveryView({ nextAttemptMs, attempts, ...rest }: DeliveryRecord): object {
  return {
    ...rest,
    nextAttemptAt: nextAttemptMs === null ? null : isoTime(nextAttemptMs),
    attempts: attempts.map(({ deliveryId, startedMs, status, error }) => ({
      deliveryId,
      at: isoTime(startedMs),
      status,
      ...(error === null ? {} : { error }),
    })),
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
