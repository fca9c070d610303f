import type { Ids } from '../trace/ids.ts';
import type { TraceRecord } from '../trace/records.ts';

/** Names under which a record belongs to the histories of things of one kind. */
type Naming = (record: TraceRecord) => readonly (string | undefined)[];

/** The things that a trace tells of over time. */
const namings = {
  /** One event of a channel, over addresses and retries. */
  event: (record) => [record.kind === 'delivery' ? record.ids.eventId : undefined],
  /** What was delivered, byte by byte. */
  content: (record) => [record.kind === 'delivery' ? record.ids.content : undefined],
  /** One invoice of a company, from its issuance on, with the callbacks that tell of it. */
  invoice: (record) => {
    const { empresaId, nfeId } = idsOf(record);
    return [empresaId === undefined || nfeId === undefined ? undefined : `${empresaId} ${nfeId}`];
  },
  company: (record) => [idsOf(record).empresaId],
  /** One invoice at the tax authority. */
  chave: (record) => [idsOf(record).chave],
  link: (record) => idsOf(record).links ?? [],
  /** An address of ours, with what came there. */
  address: (record) => [record.kind === 'delivery' ? record.address?.name : undefined],
  /** An application, with all that it sent and got and what was done to it. */
  application: (record) => [applicationOf(record)],
} as const satisfies Record<string, Naming>;

export type Thing = keyof typeof namings;

/** Names the things of a kind that a record tells of, record by record: a link is followed by the application that it was given to. */
export function openThings(): (kind: Thing, record: TraceRecord) => readonly string[] {
  const givenTo = new Map<string, string>();
  return (kind, record) => {
    const naming: Naming = namings[kind];
    const names = naming(record).filter((name) => name !== undefined);
    if (kind !== 'application') return names;
    const { links = [] } = idsOf(record);
    if (record.kind === 'link') return links.flatMap((link) => givenTo.get(link) ?? []);
    for (const link of links) for (const name of names) givenTo.set(link, name);
    return names;
  };
}

const isThing = (name: string): name is Thing => name in namings;

/** The kinds of things whose history can be followed. */
export const kindsOfThings: readonly Thing[] = Object.keys(namings).filter(isThing);

/** What a record names. */
export function idsOf(record: TraceRecord): Ids {
  return record.kind === 'awaited' ? {} : record.ids;
}

function applicationOf(record: TraceRecord): string | undefined {
  switch (record.kind) {
    case 'exchange':
      return record.caller?.name;
    case 'delivery':
      return record.address?.caller;
    case 'steering':
      return record.application;
    case 'link':
    case 'awaited':
      return undefined;
  }
}
