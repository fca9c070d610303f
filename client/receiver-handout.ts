/** Hands out the items of a growing list in order, each of them once, to those who wait for them. */
export interface Handout<Item> {
  /** The next `count` items; fewer when `timeoutMs` pass or the handout ends before there are so many. */
  next(count: number, timeoutMs: number): Promise<Item[]>;
  /** Serves those who wait, in the order in which they came, with what the list has grown to. */
  serve(): void;
  /** Serves everybody with what there is; nobody waits any more from now on. */
  end(): void;
}

interface Waiter<Item> {
  readonly count: number;
  readonly resolve: (items: Item[]) => void;
  readonly timer: NodeJS.Timeout;
}

/** A handout of `items`, which only grow. */
export function handoutOf<Item>(items: readonly Item[]): Handout<Item> {
  const waiters: Waiter<Item>[] = [];
  let [handedOut, hasEnded] = [0, false];
  const give = (waiter: Waiter<Item>, count: number): void => {
    clearTimeout(waiter.timer);
    waiters.splice(waiters.indexOf(waiter), 1);
    const given = items.slice(handedOut, handedOut + count);
    handedOut += given.length;
    waiter.resolve(given);
  };
  const serve = (): void => {
    for (;;) {
      const [first] = waiters;
      const isReady = first && (hasEnded || items.length - handedOut >= first.count);
      if (!isReady) return;
      give(first, first.count);
    }
  };
  return {
    next: (count, timeoutMs) =>
      new Promise((resolve) => {
        // What there is belongs to the first of those who wait.
        const onTimeout = (): void => give(waiter, waiter === waiters[0] ? count : 0);
        const waiter: Waiter<Item> = { count, resolve, timer: setTimeout(onTimeout, timeoutMs) };
        waiters.push(waiter);
        serve();
      }),
    serve,
    end() {
      hasEnded = true;
      serve();
    },
  };
}
