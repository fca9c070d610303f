/** Hands out the items of a growing list in order, each of them once, to those who wait for them. */
export interface Handout<Item> {
  /** The next `count` items; fewer when `timeoutMs` pass or the handout ends before there are so many. */
  next(count: number, timeoutMs: number): Promise<Item[]>;
  /** Serves those who wait, in the order in which they came, with what the list has grown to. */
  serve(): void;
  /** Serves everybody who waits with what there is; nobody waits any more from now on. */
  end(): void;
}

interface Waiter<Item> {
  readonly count: number;
  readonly resolve: (items: Item[]) => void;
  readonly timer: NodeJS.Timeout;
}

/** A handout of `items`, which only grow. */
export function handoutOf<Item>(items: readonly Item[]): Handout<Item> {
  let waiters: Waiter<Item>[] = [];
  let [handedOut, hasEnded] = [0, false];
  const give = (waiter: Waiter<Item>): void => {
    clearTimeout(waiter.timer);
    waiters = waiters.filter((other) => other !== waiter);
    const given = items.slice(handedOut, handedOut + waiter.count);
    handedOut += given.length;
    waiter.resolve(given);
  };
  const serve = (): void => {
    const [first] = waiters;
    if (!first || (!hasEnded && items.length - handedOut < first.count)) return;
    give(first);
    serve();
  };
  return {
    next: (count, timeoutMs) =>
      new Promise((resolve) => {
        const onTimeout = (): void => {
          give(waiter);
          serve();
        };
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
