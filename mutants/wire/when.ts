/** What is known of a request or a delivery before it is decided whether the wire spoils it. */
export interface Moment {
  /** How many came before it, over all: also those that no breach is about. */
  readonly nth: number;
  /** Tells the connection of a request from others; a delivery has one of its own. */
  readonly connection: number;
  /** Evenly distributed from 0 up to 1; its own. */
  readonly drawn: number;
}

/** When the wire is broken. */
export interface When {
  readonly name: string;
  /** It is so at some node of several. */
  readonly isNode?: true;
  readonly isBroken: (moment: Moment) => boolean;
}

/** So many times in a hundred. */
export function atRate(percent: number): When {
  return { name: `${percent} %`, isBroken: ({ drawn }) => drawn * 100 < percent };
}

/** How a balancer chooses a node: in turn, anew for each request, or once for each connection. */
export const balancings = ['round-robin', 'random', 'sticky'] as const;

/** One node of several behind a balancer. */
export function oneNodeOf(nodes: number, turn: (typeof balancings)[number]): When {
  const isBroken = {
    'round-robin': ({ nth }: Moment) => nth % nodes === 0,
    random: ({ drawn }: Moment) => drawn * nodes < 1,
    sticky: ({ connection }: Moment) => draws(connection)() * nodes < 1,
  }[turn];
  return { name: `1 of ${nodes} nodes, ${turn}`, isNode: true, isBroken };
}

/** Numbers from 0 up to 1 that follow from a seed. */
export function draws(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
