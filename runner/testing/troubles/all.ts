import { addressTroubles } from './address.ts';
import { clockTroubles } from './clock.ts';
import { connectionTroubles } from './connection.ts';
import { credentialTroubles } from './credentials.ts';
import { firewallTroubles } from './firewall.ts';
import { gatewayTroubles } from './gateway.ts';
import { portalTroubles } from './portal.ts';
import { proxyTroubles } from './proxies.ts';
import { rateLimitTroubles } from './rate-limit.ts';
import { redirectTroubles } from './redirects.ts';
import type { StagedTrouble } from './staged-trouble.ts';
import { tlsTroubles } from './tls.ts';

/** All that stands between a run and a right server, in the order in which a request meets it. */
export const troubles: readonly StagedTrouble[] = [
  ...connectionTroubles,
  ...proxyTroubles,
  ...tlsTroubles,
  ...redirectTroubles,
  ...firewallTroubles,
  ...portalTroubles,
  ...addressTroubles,
  ...gatewayTroubles,
  ...clockTroubles,
  ...rateLimitTroubles,
  ...credentialTroubles,
];
