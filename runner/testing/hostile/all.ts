import { breaks } from './breaks.ts';
import { controls } from './control.ts';
import { deliveries } from './deliveries.ts';
import { drips } from './drips.ts';
import { encodings } from './encodings.ts';
import type { HostileTarget } from './hostile-target.ts';
import { sizes } from './sizes.ts';
import { texts } from './texts.ts';

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
