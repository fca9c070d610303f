import type { Sender } from '../webhooks/sender.ts';
import { openWebhookService } from './webhook-service.ts';

/** Attempts that the whole ladder of one failing delivery takes. */
export const attemptsOfLadder = 6;

/** Refuses everything at once, so that what is left is the cost of the books. */
const refusing: Sender = {
  send: async () => ({ status: 500, headers: {}, rest: Promise.resolve() }),
  refusal: async () => undefined,
  close: async () => undefined,
};

/**
 * Takes so many deliveries of one application, all pending at once, through their whole ladder; gives the processor time of
 * this thread in milliseconds, which is the same however busy the machine is.
 */
export async function climbLadder(deliveries: number): Promise<number> {
  const service = openWebhookService({ sender: refusing });
  const application = service.application();
  service.subscribe(application, 'verification', 'http://receiver.example');
  for (let pushed = 0; pushed < deliveries; pushed++) service.push(application, 'verification');
  const before = process.threadCpuUsage();
  await service.advance(application, 24 * 3600);
  const { user, system } = process.threadCpuUsage(before);
  await service.stop();
  return (user + system) / 1000;
}
