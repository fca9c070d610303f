import type { ObservedLadder } from './results.ts';

/** Every observed ladder once: by channel, then by how it was seen, then by its retries. */
export function distinctLadders(ladders: readonly ObservedLadder[]): ObservedLadder[] {
  const once = new Map(ladders.map((ladder) => [keyOf(ladder), ladder]));
  return [...once].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ladder]) => ladder);
}

function keyOf({ channel, source, retriesSeconds, watchedSeconds }: ObservedLadder): string {
  return [channel, source, ...retriesSeconds, `of ${watchedSeconds}`].join(' ');
}
