import { readFileSync } from 'node:fs';
import type { Network } from '../../targets/traffic/transport.ts';
import type { Credentials, TargetAddress, WebhookAddress } from '../../targets/address.ts';
import type { ContainerWish } from '../../targets/container.ts';
import { ProfileError, profileFiles, readProfile, profileSecrets } from '../../targets/profile.ts';
import { firstPeople, hidesPeople, profilePeople } from '../../targets/mask.ts';
import { isLoopback, placeOf, isProxyUrl, proxySecrets } from '../preflight/proxy.ts';
import { fileErrorCode } from '../command-line/argument-error.ts';
import { SettingError, type Environment, type Settings, readSettings, refuseUnknownSettings } from './settings.ts';
import { openReceiver, type Receiver, type ReceiverLimits } from '../../targets/receiver/receiver.ts';
import { settingsTable, type Setting } from './settings-table.ts';

/** The sandbox that the settings describe. */
export function sandboxAddress(settings: Settings, environment: Environment): TargetAddress {
  const { controlUrl, controlToken } = settings;
  if (settings.baseUrl === undefined) throw new SettingError('NFE_BASE_URL is unset');
  const address: TargetAddress = {
    kind: 'sandbox',
    baseUrl: settings.baseUrl,
    ...(controlUrl !== undefined && controlToken !== undefined
      ? { control: { url: controlUrl, token: controlToken } }
      : {}),
    credentials: credentialsOf(settings),
    network: networkOf(environment),
    maxRps: settings.maxRps,
    allowProducao: settings.allowProducao,
    perConnection: 4,
    burst: settings.burst,
    rateBurst: settings.rateBurst,
    clockSkewSeconds: 0,
    xmlContentType: settings.xmlContentType,
    profile: profileAt(settings.profile),
    ...(settings.empresaId === undefined ? {} : { empresas: { own: { empresaId: settings.empresaId } } }),
    webhook: webhookAddress(settings),
    isSlow: settings.slow,
    settleTimeoutSeconds: settings.settleTimeoutSeconds,
    ...(settings.show === 'all' ? { shows: 'all' } : {}),
  };
  return hidesPeople(address) ? { ...address, people: firstPeople(address, profilePeople(settings.profile)) } : address;
}

/** What the settings say of a simulator that the run starts itself, inside it or in a container. */
export function ownWish(settings: Settings): ContainerWish {
  const { xmlContentType, maxRps, slow: isSlow, settleTimeoutSeconds, profile } = settings;
  const { webhookListen: listen, webhookHeaderPrefix: headerPrefix, webhookPublicUrl: publicUrl } = settings;
  const isInContainer = settings.target === 'container' && publicUrl !== undefined;
  const webhook = { listen, headerPrefix, isReachable: true, ...(isInContainer ? { publicUrl } : {}) };
  return { xmlContentType, maxRps, isSlow, settleTimeoutSeconds, webhook, profile: profileAt(profile) };
}

/** Where the receiver listens; a target elsewhere reaches it only by an address that is named for it. */
function webhookAddress(settings: Settings): WebhookAddress {
  const { webhookListen, webhookPublicUrl, webhookHeaderPrefix, verificationWebhookUrl, baseUrl = '' } = settings;
  const isOnThisMachine = isLoopback(placeOf(new URL(baseUrl)).host) && settings.controlUrl !== undefined;
  return {
    listen: webhookListen,
    ...(webhookPublicUrl === undefined ? {} : { publicUrl: webhookPublicUrl }),
    headerPrefix: webhookHeaderPrefix,
    isReachable: webhookPublicUrl !== undefined || isOnThisMachine,
    ...(verificationWebhookUrl === undefined ? {} : { verificationUrl: verificationWebhookUrl }),
  };
}

/** The profile in that folder, by the names of its files; a folder that can't be read has none, and others say why. */
export function profileAt(folder: string): TargetAddress['profile'] {
  try {
    const absent = new Set<string>(readProfile(folder).missing());
    return { folder, files: Object.keys(profileFiles).filter((file) => !absent.has(file)) };
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return { folder, files: [] };
  }
}

/** The credentials that are set; an unset one is left out. */
function credentialsOf(settings: Settings): Credentials {
  const found = {
    active: settings.appSecret,
    disabled: settings.appSecretDisabled,
    pending: settings.appSecretPending,
    rejected: settings.appSecretRejected,
    integratorDisabled: settings.appSecretIntegratorDisabled,
    unsubscribed: settings.appSecretUnsubscribed,
    rateLimited: settings.appSecretRateLimited,
    rotated: settings.appSecretRotated,
    appKey: settings.appKey,
    appName: settings.appName,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** How the environment says that others are reached. Throws a SettingError where its certificates can't be read. */
function networkOf(environment: Environment): Network {
  const variable = (name: string): string | undefined => environment[name.toLowerCase()] || environment[name];
  const [httpProxy, httpsProxy, noProxy] = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].map(variable);
  const certificates = environment['NODE_EXTRA_CA_CERTS'];
  return {
    ...(httpProxy ? { httpProxy } : {}),
    ...(httpsProxy ? { httpsProxy } : {}),
    ...(noProxy ? { noProxy } : {}),
    ...(certificates ? { extraCa: readCertificates(certificates) } : {}),
  };
}

function readCertificates(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingError(`NODE_EXTRA_CA_CERTS: can't read ${path} (${fileErrorCode(error)})`);
  }
}

/** Refuses a proxy that no request could go through; the doctor rather explains it. */
export function refuseBadProxies({ httpProxy, httpsProxy }: Network): void {
  for (const [name, proxy] of Object.entries({ HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy })) {
    if (proxy === undefined || isProxyUrl(proxy)) continue;
    throw new SettingError(`${name} takes the URL of an http or https proxy, such as http://proxy:3128`);
  }
}

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
): Promise<Receiver> {
  try {
    return await openReceiver({
      listen: webhookListen,
      ...(webhookPublicUrl === undefined ? {} : { publicUrl: webhookPublicUrl }),
      limits,
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
