import { openReceiver } from '../../targets/receiver/receiver.ts';
import { openControl, type ApplicationWish, type Control } from '../../targets/control.ts';
import { startEmbedded, type EmbeddedWish } from '../../targets/container.ts';
import type { CallingWay } from '../../runner/plan/costs.ts';

/** A simulator as somebody else's server, and every setting that a run can be given for it. */
export interface EquippedSandbox {
  readonly environment: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

/** The applications that a sandbox without control API is known by. */
const conditions = {
  NFE_APP_SECRET_DISABLED: { state: 'disabled' },
  NFE_APP_SECRET_PENDING: { state: 'pending' },
  NFE_APP_SECRET_REJECTED: { state: 'rejected' },
  NFE_APP_SECRET_INTEGRATOR_DISABLED: { integratorState: 'disabled' },
  NFE_APP_SECRET_UNSUBSCRIBED: { subscriptions: [] },
  NFE_APP_SECRET_RATE_LIMITED: { rateLimit: { limit: 5, windowSeconds: 60 } },
} as const satisfies Readonly<Record<string, ApplicationWish>>;

/** Starts a simulator, to be called in that way: by one application with all its credentials and a receiver, or by its control API. */
export async function equipSandbox(way: CallingWay, rules?: EmbeddedWish['rules']): Promise<EquippedSandbox> {
  const { address, stop } = await startEmbedded(rules ? { rules } : {});
  const { url = '', token = '' } = address.control ?? {};
  const base = { NFE_BASE_URL: address.baseUrl, NFE_SETTLE_TIMEOUT: '10', NFE_ALLOW_PRODUCAO: 'true' };
  if (way === 'ownApplications') {
    return { environment: { ...base, NFE_CONTROL_URL: url, NFE_CONTROL_TOKEN: token }, stop };
  }
  const control = openControl({ url, token }, undefined);
  const environment = { ...base, ...(await credentials(control)) };
  await control.close();
  return { environment, stop };
}

async function credentials(control: Control): Promise<Record<string, string>> {
  const own = await control.createApplication({ appName: 'One application' });
  const rotated = await control.createApplication({});
  await control.rotateSecret(rotated.appKey);
  const secrets = await Promise.all(
    Object.entries<ApplicationWish>(conditions).map(async ([name, wish]): Promise<[string, string]> => {
      return [name, (await control.createApplication(wish)).appSecret];
    }),
  );
  return {
    NFE_APP_SECRET: own.appSecret,
    NFE_APP_KEY: own.appKey,
    NFE_APP_NAME: own.appName,
    NFE_APP_SECRET_ROTATED: rotated.appSecret,
    ...Object.fromEntries(secrets),
    ...(await receiver(control, own.appKey)),
  };
}

/** Where deliveries come to: the console tests an address when it is saved, so something has to answer there before the run does. */
async function receiver(control: Control, appKey: string): Promise<Record<string, string>> {
  const console = await openReceiver({ listen: { host: '127.0.0.1', port: 0 } });
  const { url } = console.address();
  const isSaved = await control.saveVerificationUrls(appKey, [url]);
  await console.close();
  if (!isSaved) throw new Error('the simulator did not save an address that answers its test');
  return {
    NFE_WEBHOOK_LISTEN: new URL(console.origin).host,
    NFE_WEBHOOK_PUBLIC_URL: console.origin,
    NFE_VERIFICATION_WEBHOOK_URL: url,
  };
}
