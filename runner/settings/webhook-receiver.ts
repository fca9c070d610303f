import { profileSecrets } from '../../targets/profile.ts';
import { proxySecrets } from '../preflight/proxy.ts';
import { fileErrorCode } from '../command-line/argument-error.ts';
import { SettingError, type Environment, type Settings, readSettings, refuseUnknownSettings } from './settings.ts';
import { openReceiver, type Receiver, type ReceiverLimits, type Stray } from '../../targets/receiver/receiver.ts';
import { settingsTable, type Setting } from './settings-table.ts';
import { networkOf } from './target-address.ts';

/** The settings of a receiver. */
export type WebhookSettings = Pick<Settings, 'webhookListen' | 'webhookPublicUrl' | 'webhookHeaderPrefix'>;

/**
 * The webhook settings alone: what the others say of a target, and how they go together, does not matter to a receiver.
 * @throws {SettingError} for a webhook setting that is malformed, and for any name that is no setting.
 */
export function readWebhookSettings(environment: Environment): WebhookSettings {
  refuseUnknownSettings(Object.keys(environment).filter((name) => environment[name]));
  const { webhookListen, webhookPublicUrl, webhookHeaderPrefix } = settingsTable;
  const names = [webhookListen, webhookPublicUrl, webhookHeaderPrefix].map(({ name }) => name);
  return readSettings(Object.fromEntries(names.map((name) => [name, environment[name]])));
}

/** What the receiver may not print: every secret that is set, whether it is of use to a receiver or not. */
export function secretsAround(environment: Environment): ReadonlyMap<string, string> {
  const { profile } = settingsTable;
  const named = Object.values<Setting>(settingsTable).flatMap(({ name, secret }): [string, string][] => {
    const value = environment[name];
    return secret === true && value ? [[value, `$${name}`]] : [];
  });
  const ofProfile = profileSecrets(environment[profile.name] || profile.default);
  return new Map([...ofProfile, ...proxySecrets(networkOf(environment)), ...named]);
}

/**
 * Opens the receiver that the settings describe.
 * @throws {SettingError} when it can't listen there.
 */
export async function openWebhookReceiver(
  { webhookListen, webhookPublicUrl }: WebhookSettings,
  limits: Partial<ReceiverLimits> = {},
  onStray: (stray: Stray) => void = () => {},
): Promise<Receiver> {
  try {
    return await openReceiver({
      listen: webhookListen,
      ...(webhookPublicUrl === undefined ? {} : { publicUrl: webhookPublicUrl }),
      limits,
      onStray,
    });
  } catch (error) {
    throw new SettingError(`NFE_WEBHOOK_LISTEN: ${listenFault(fileErrorCode(error), webhookListen)}`);
  }
}

function listenFault(code: string, { host, port }: Settings['webhookListen']): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is in use; stop what listens there, or name another port`;
    case 'EACCES':
      return `port ${port} may not be opened by this user; name one from 1024 on`;
    case 'ENOTFOUND':
    case 'EADDRNOTAVAIL':
      return `${host} is no address of this machine; name one, such as 127.0.0.1, or 0.0.0.0 for all of them`;
    default:
      return `can't listen on port ${port} of ${host} (${code})`;
  }
}
