import { randomPathName, type Receiver } from '../targets/receiver/receiver.ts';
import { tooLargeAnswer, type Script } from '../targets/receiver/address.ts';
import { maskFor } from '../trace/mask.ts';
import type { Mask } from '../trace/people/words-mask.ts';
import { loadEnvironment } from '../runner/settings/settings.ts';
import { fileErrorCode } from '../runner/command-line/argument-error.ts';
import {
  readReceiverArguments,
  type ReceiverArguments,
  deliveryLine,
  startLines,
  summaryLine,
} from './receiver/receiver-lines.ts';
import { openReceiverFolder, type ReceiverFolder } from '../runner/received/receiver-folder.ts';
import {
  openWebhookReceiver,
  readWebhookSettings,
  secretsAround,
  type WebhookSettings,
} from '../runner/settings/webhook-receiver.ts';

export { usage } from './receiver/receiver-lines.ts';

/** What `npm run receiver` does, until it is stopped; gives the exit status: 0. */
export async function run(words: readonly string[]): Promise<number> {
  // Whoever read the lines may go away; deliveries are stored all the same.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const asked = readReceiverArguments(words);
  const environment = loadEnvironment('.env', process.env);
  const settings = { ...readWebhookSettings(environment), mask: maskFor(secretsAround(environment)) };
  const folder = await openReceiverFolder(asked.out);
  const stored = { stored: 0, unstored: 0 };
  const { why, strays } = await keepUp(asked, settings, folder, stored).finally(() => folder.log.close());
  print(summaryLine(why, { ...stored, ...strays }, folder.logPath));
  return 0;
}

/** The settings, with what hides the secrets among all of them. */
type ReceiverSettings = WebhookSettings & { readonly mask: Mask };

/** How many deliveries were stored, and how many could not be. */
type Stored = Record<'stored' | 'unstored', number>;

/** Receives until it is stopped; tells why it was, and what came besides deliveries. */
async function keepUp(
  asked: ReceiverArguments,
  settings: ReceiverSettings,
  folder: ReceiverFolder,
  stored: Stored,
): Promise<{ why: string; strays: ReturnType<Receiver['strays']> }> {
  // Everything goes to the log, so that a receiver which stays up for weeks doesn't grow.
  const receiver = await openWebhookReceiver(settings, { keptDeliveries: 0 });
  try {
    const pathName = asked.pathName ?? folder.keptPathName ?? randomPathName();
    const { url } = receiver.address(storing(asked.status, settings, folder, pathName, stored), pathName);
    folder.keepPathName(pathName);
    const isReachable = settings.webhookPublicUrl !== undefined;
    print(startLines({ ...asked, url, origin: receiver.origin, isReachable, logPath: folder.logPath }).join('\n'));
    return { why: await stopped(asked.hours), strays: receiver.strays() };
  } finally {
    await receiver.close();
  }
}

/** Stores each delivery before it is answered: what was acknowledged is never lost, what could not be stored comes again. */
function storing(
  status: number,
  { webhookHeaderPrefix, mask }: ReceiverSettings,
  { log }: ReceiverFolder,
  pathName: string,
  stored: Stored,
): Script {
  return async (arrival) => {
    const answeredStatus = arrival.isTooLarge ? tooLargeAnswer.status : status;
    const delivery = { ...arrival, pathName, answeredStatus };
    try {
      await log.append(delivery);
    } catch (error) {
      stored.unstored += 1;
      complain(`a delivery could not be stored (${fileErrorCode(error)}) and is not acknowledged`);
      return { status: 500 };
    }
    stored.stored += 1;
    print(deliveryLine(delivery, webhookHeaderPrefix, mask));
    return { status };
  };
}

/** Resolves with the reason when it is time to stop; further signals change nothing, since npm may pass one on twice. */
function stopped(hours: number | undefined): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => resolve(signal));
    if (hours !== undefined) setTimeout(() => resolve(`after ${hours} h`), hours * 3_600_000);
  });
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function complain(text: string): void {
  process.stderr.write(`error: ${text}\n`);
}
