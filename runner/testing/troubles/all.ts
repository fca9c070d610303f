import { addressTroubles, connectionTroubles, firewallTroubles } from './network.ts';
import { clockTroubles, credentialTroubles } from './credentials.ts';
import { gatewayTroubles, portalTroubles, rateLimitTroubles, redirectTroubles } from './answers.ts';
import { proxyTroubles } from './proxies.ts';
import type { StagedTrouble } from './front.ts';
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
