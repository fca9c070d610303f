/** A value that is made when it is first asked for, and kept: what is long in the making would slow down every start. */
export function onFirstUse<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
