import { dispatcherFor, type Network } from '../../targets/traffic/transport.ts';
import type { TargetAddress } from '../../targets/address.ts';
import { fileErrorCode } from '../command-line/argument-error.ts';
import { SettingError, type Settings } from '../settings/settings.ts';
import { notSet, ok, problem, warning, type Remark } from './finding.ts';
import { isLoopback, placeOf } from './proxy.ts';
import { openWebhookReceiver } from '../settings/webhook-receiver.ts';

/** What came of a request to the public address: whether the receiver saw it, and what the sender was told. */
export interface WayBack {
  readonly hasArrived: boolean;
  /** "200", "ECONNREFUSED". */
  readonly told: string;
}

const examined = 'webhook receiver';
const timeoutMs = 5_000;

/** Listens where the settings say and sends a request to an unguessable path of the public address. */
export async function examineWebhook(settings: Settings, { network, webhook }: TargetAddress): Promise<Remark> {
  const { webhookPublicUrl } = settings;
  if (webhookPublicUrl === undefined && webhook.isReachable)
    return ok(examined, 'nothing to set: a target on this machine reaches it');
  if (webhookPublicUrl === undefined) {
    return notSet(
      examined,
      'webhook checks will not be exercised',
      'set NFE_WEBHOOK_PUBLIC_URL with NFE_WEBHOOK_LISTEN',
    );
  }
  try {
    const receiver = await openWebhookReceiver(settings);
    try {
      const address = receiver.address();
      const told = await post(address.url, network);
      const arrival = { hasArrived: address.deliveries().length > 0, told };
      return judgeArrival(arrival, webhookPublicUrl, receiver.origin, settings.webhookListen.port);
    } finally {
      await receiver.close();
    }
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    return problem(examined, error.message, 'the receiver must be able to listen there');
  }
}

/** Judges whether the public address leads to `origin`, where the receiver listens; `port` is what the setting says, 0 a free one. */
export function judgeArrival({ hasArrived, told }: WayBack, publicUrl: string, origin: string, port: number): Remark {
  if (hasArrived) return ok(examined, `a request to ${publicUrl} arrived at ${origin}`);
  const found = `a request to ${publicUrl} did not arrive at ${origin} (${told})`;
  if (port === 0 && !isLoopback(placeOf(new URL(publicUrl)).host)) {
    return warning(
      examined,
      found,
      'NFE_WEBHOOK_LISTEN takes a new port each time: give it the one that the public address leads to',
    );
  }
  return warning(examined, found, 'see that the public address leads there; some lead there from outside only');
}

/** What the sender of a request was told: the HTTP status, or the system's error code. */
async function post(url: string, network: Network | undefined): Promise<string> {
  const dispatcher = dispatcherFor(network);
  const { origin, pathname, search } = new URL(url);
  try {
    const answer = await dispatcher.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.body.dump();
    return `HTTP ${answer.statusCode}`;
  } catch (error) {
    return fileErrorCode(error);
  } finally {
    await dispatcher.destroy();
  }
}
