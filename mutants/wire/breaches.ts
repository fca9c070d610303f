import type { Breach } from './breach.ts';
import { deliveryBreaches } from './deliveries.ts';
import { endpointBreaches } from './endpoints.ts';
import { gatewayBreaches } from './gateway.ts';

/** Every breach of the wire. */
export const breaches: readonly Breach[] = [...gatewayBreaches, ...endpointBreaches, ...deliveryBreaches];
