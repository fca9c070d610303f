import { randomBytes, randomUUID } from 'node:crypto';
import { type Ledger, openLedger } from '../../targets/traffic/ledger.ts';
import { randomPathName, type Receiver } from '../../targets/receiver/receiver.ts';
import type { Script } from '../../targets/receiver/address.ts';
import { hostDeliveries, type SharedHost } from '../../targets/receiver/shared-deliveries.ts';
import { plainEnd, tellingEnds, tellingToken } from '../../generators/webhook-addresses.ts';
import { neededBy } from '../../contract/catalogue.ts';
import type { NeedName } from '../../contract/clause.ts';
import type { SharedReceiver, TargetAddress, Traffic } from '../../targets/address.ts';
import { sendCallAs } from '../../targets/fair-send.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { registerWebhook } from '../../targets/empresa.ts';
import { openTarget } from '../../targets/target.ts';
import { isLoopback, placeOf } from '../preflight/proxy.ts';
import { openWebhookReceiver, type WebhookSettings } from '../settings/webhook-receiver.ts';

/** A target whose deliveries reach the run, until it is stopped. */
export interface Reachable {
  readonly address: TargetAddress;
  readonly stop: () => Promise<void>;
}

const wanted: readonly NeedName[] = ['callbacks', 'verification-webhook'];

/**
 * Keeps one receiver up for the whole run and registers one address at it, where the target has one application for all
 * checks; with a control API each check has addresses of its own. What the target refuses is kept, not thrown.
 * @throws {SettingError} when it can't listen there.
 */
export async function withSharedReceiver(
  address: TargetAddress,
  settings: WebhookSettings,
  traffic: Traffic,
  clauses: readonly string[],
): Promise<Reachable> {
  const needed = neededBy(clauses);
  const isWanted = wanted.some((need) => needed.has(need));
  if (address.control || !address.webhook.isReachable || !isWanted) return { address, stop: () => Promise.resolve() };
  const ledger = openLedger(traffic.memory, { maxRps: 0, budget: 0 });
  const receiver = await openWebhookReceiver(settings, { keptDeliveries: 0 }, (stray) => ledger.noteStray(stray));
  const channel = `nfe-deliveries-${randomUUID()}`;
  const host = hostDeliveries(channel);
  const shared = await registered(openAddresses(receiver, host, address, ledger), channel, address, traffic);
  return {
    address: { ...address, webhook: { ...address.webhook, shared } },
    async stop() {
      host.close();
      await receiver.close();
    },
  };
}

/** The address for callbacks; the one for verification events is opened beside it, where somebody has saved one. */
function openAddresses(receiver: Receiver, host: SharedHost, { webhook }: TargetAddress, ledger: Ledger): string {
  const telling = (channel: 'issuance' | 'verification'): Script => {
    return (arrival) => {
      ledger.noteArrival();
      return host.arrived({ ...arrival, channel });
    };
  };
  const { verificationUrl } = webhook;
  const pathName = verificationUrl === undefined ? undefined : lastSegment(verificationUrl);
  if (pathName !== undefined) receiver.address(telling('verification'), pathName);
  return receiver.address(telling('issuance'), randomPathName()).url;
}

function lastSegment(url: string): string | undefined {
  return new URL(url).pathname.split('/').findLast((segment) => segment !== '');
}

/**
 * Registers an address of the run that tells by its end and token whether both are kept as they are; where that is refused, which the
 * contract leaves free, the plain one.
 */
async function registered(
  url: string,
  channel: string,
  address: TargetAddress,
  traffic: Traffic,
): Promise<SharedReceiver> {
  const plain = { url, token: randomBytes(16).toString('hex') };
  const telling = { url: url + endOf(address.webhook), token: tellingToken(randomBytes(48)) };
  const target = openTarget(address, traffic);
  try {
    const caller = await target.caller();
    const register = async ({ url: uri, token }: typeof plain): Promise<SharedReceiver> => {
      const { exchange: registration, refusal } = await registerWebhook(sendCallAs(target, caller), { uri, token });
      return { channel, url: uri, token, registration, ...(refusal === undefined ? {} : { refusal }) };
    };
    const first = await register(telling);
    return first.refusal === undefined ? first : await register(plain);
  } catch (error) {
    if (!(error instanceof NotExercised)) throw error;
    return { channel, ...plain, refusal: error.message };
  } finally {
    await target.close();
  }
}

/** What stands before a public address may write a query anew; on this machine nothing does. */
function endOf({ publicUrl }: TargetAddress['webhook']): string {
  return publicUrl === undefined || isLoopback(placeOf(new URL(publicUrl)).host) ? tellingEnds[0] : plainEnd;
}
