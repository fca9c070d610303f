/** What a cache has to do with a wrong answer that says itself that one kept it. */
export const cachedAnswer = 'the answer is an earlier one, which a cache had kept: its headers say so';

/** Whether an answer says that it has been in a cache: by its age in seconds, or by a word of the cache. Names in lower case. */
export function isCached(headers: ReadonlyMap<string, string>): boolean {
  const isHit = ['x-cache', 'cf-cache-status', 'x-cache-status'].some((name) =>
    /\bhit\b/i.test(headers.get(name) ?? ''),
  );
  return isHit || Number(headers.get('age') ?? 0) > 0;
}
