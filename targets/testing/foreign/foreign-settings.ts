import type { ForeignServer } from './foreign-server.ts';

/** The settings of whoever knows a foreign server by its address and one secret, at full speed. */
export function secretSettings({ baseUrl, secrets }: ForeignServer): Record<string, string> {
  return { NFE_BASE_URL: baseUrl, NFE_APP_SECRET: secrets.active, NFE_MAX_RPS: '0' };
}

/** The settings of whoever has every credential, and a profile in that folder. */
export function credentialSettings(server: ForeignServer, profileFolder: string): Record<string, string> {
  const { appKey, appName, secrets } = server;
  return {
    ...secretSettings(server),
    NFE_APP_KEY: appKey,
    NFE_APP_NAME: appName,
    NFE_APP_SECRET_DISABLED: secrets.disabled,
    NFE_APP_SECRET_PENDING: secrets.pending,
    NFE_APP_SECRET_REJECTED: secrets.rejected,
    NFE_APP_SECRET_INTEGRATOR_DISABLED: secrets.integratorDisabled,
    NFE_APP_SECRET_UNSUBSCRIBED: secrets.unsubscribed,
    NFE_APP_SECRET_RATE_LIMITED: secrets.rateLimited,
    NFE_APP_SECRET_ROTATED: secrets.rotated,
    NFE_PROFILE: profileFolder,
  };
}
