import { readFileSync } from 'node:fs';
import type { Network } from '../../targets/traffic/transport.ts';
import {
  type Credentials,
  perConnectionToServer,
  type TargetAddress,
  type WebhookAddress,
} from '../../targets/address.ts';
import type { ContainerWish } from '../../targets/container.ts';
import { ProfileError, profileFiles, readProfile } from '../../targets/profile.ts';
import { firstPeople, hidesPeople, profilePeople } from '../../targets/mask.ts';
import { isLoopback, placeOf, isProxyUrl } from '../preflight/proxy.ts';
import { fileErrorCode } from '../command-line/argument-error.ts';
import { SettingError, type Environment, type Settings } from './settings.ts';

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
    perConnection: perConnectionToServer,
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
export function networkOf(environment: Environment): Network {
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
