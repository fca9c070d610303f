import { verificationWebhook, type VerificationWebhook } from '../../schemas/control.ts';
import { testAddresses } from '../webhooks/test-delivery.ts';
import type { ControlHandler } from './handler.ts';
import { bodyReader } from './read-body.ts';
import { controlError, unknownApplication } from './reply.ts';

const readBody = bodyReader<VerificationWebhook>(verificationWebhook);

/** `PUT /applications/{appKey}/verification-webhook`: 422 and the old list stays, unless every address acknowledges its test. */
export const setVerificationWebhook: ControlHandler = async ({ variables, rawBody }, service) => {
  const { state, rules } = service;
  const read = readBody(rawBody);
  if ('error' in read) return controlError(400, read.error);
  const application = state.applications.findByKey(variables['appKey'] ?? '');
  if (!application) return unknownApplication;
  const urls = [...new Set(read.value.urls)];
  const notCallable = urls.find((url) => !rules.webhookUrl.isCallable(url));
  if (notCallable !== undefined) {
    return controlError(422, `${notCallable || 'An empty text'} is no absolute http or https address.`);
  }
  const failures = await testAddresses(application, rules.webhookUrl.tested(urls), service);
  if (!rules.webhookUrl.isSaved(failures)) return controlError(422, failures.join(' '));
  state.transaction(() => state.webhooks.setVerificationUrls(application.appKey, urls));
  return { status: 200, body: { urls } };
};
