import { breaks, drips } from './connections.ts';
import { controls, deliveries } from './deliveries.ts';
import { encodings, sizes, texts } from './bodies.ts';
import type { HostileTarget } from './hostile-target.ts';

/** All hostile targets. Another is a row in one of these lists. */
export const hostileTargets: readonly HostileTarget[] = [
  ...drips,
  ...breaks,
  ...encodings,
  ...texts,
  ...sizes,
  ...deliveries,
  ...controls,
];
