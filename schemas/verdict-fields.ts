/** Names of the fields in `data` of verification events, by the kind of their verdict. Section 9. */
export type VerdictFields = Readonly<Record<string, readonly string[]>>;

/** What is kept of a target that makes names up. */
const most = { kinds: 6, names: 60, letters: 60 };

/** The fields of one verdict; none where it is no object. */
export function fieldsOfVerdict(data: unknown): VerdictFields {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return {};
  const kind = String(Reflect.get(data, 'validationStatus')).slice(0, most.letters);
  return { [kind]: Object.keys(data).filter((name) => name.length <= most.letters) };
}

/** The fields of several together. */
export function allFields(each: readonly VerdictFields[]): Record<string, string[]> {
  const byKind = Map.groupBy(
    each.flatMap((fields) => Object.entries(fields)),
    ([kind]) => kind,
  );
  const together = [...byKind].slice(0, most.kinds).map(([kind, entries]) => {
    const names = new Set(entries.flatMap(([, own]) => own));
    return [kind, [...names].slice(0, most.names).sort()] as const;
  });
  return Object.fromEntries(together);
}

/** The fields that a verdict had before and one of the same kind has no more. */
export function lostFields(before: VerdictFields, now: VerdictFields): readonly string[] {
  return Object.entries(now).flatMap(([kind, names]) => {
    const lost = (before[kind] ?? []).filter((name) => !names.includes(name));
    return lost.map((name) => `${name} (${kind})`);
  });
}
