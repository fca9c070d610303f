import { nothing, verificationWebhook, type VerificationWebhook } from '../../schemas/control.ts';
import { nowMs } from '../model/application.ts';
import type { DeliveryRecord } from '../model/delivery.ts';
import { testAddresses } from '../webhooks/request.ts';
import { aboutApplication, changing, controlError, bodyReader } from './handler.ts';

/** `GET /applications/{appKey}/deliveries`: all of them, oldest first. */
export const listDeliveries = aboutApplication(({ appKey }, { state }) => ({
  status: 200,
  body: state.deliveryRecords(appKey).map(deliveryView),
}));

/** `POST /applications/{appKey}/deliveries/{eventId}/redeliver`: 202; a manual re-push. Section 6.4. */
export const redeliver = changing(
  bodyReader<object>(nothing),
  ({ appKey, clock }, _, { state, timeline }, { variables }) => {
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
  },
);

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

/** `PUT /applications/{appKey}/verification-webhook`: 422 and the old list stays, unless every address acknowledges its test. */
export const setVerificationWebhook = changing(
  bodyReader<VerificationWebhook>(verificationWebhook),
  async (application, body, service) => {
    const { state, rules } = service;
    const urls = [...new Set(body.urls)];
    const notCallable = urls.find((url) => !rules.webhookUrl.isCallable(url));
    if (notCallable !== undefined) {
      return controlError(422, `${notCallable || 'An empty text'} is no absolute http or https address.`);
    }
    const failures = await testAddresses(application, rules.webhookUrl.tested(urls), service);
    if (!rules.webhookUrl.isSaved(failures)) return controlError(422, failures.join(' '));
    state.transaction(() => state.webhooks.setVerificationUrls(application.appKey, urls));
    return { status: 200, body: { urls } };
  },
);
