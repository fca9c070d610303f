import { findClause, type ClauseId } from './catalogue.ts';
import type { Level } from './clause.ts';
import { codes, type PlatformCode } from './values.ts';

/** Which of two refusals the contract has first, and the clause that says so. */
export interface StatedOrder {
  readonly first: PlatformCode;
  readonly level: Level;
  readonly clause: ClauseId;
}

/** Which status comes before which. Sections 4.3, 7.1 and 7.2. */
const statusOrder: readonly { before: number; after: number; clause: ClauseId }[] = [
  { before: 401, after: 410, clause: 'precedence.401-before-410' },
  { before: 401, after: 403, clause: 'precedence.401-before-403' },
  { before: 401, after: 429, clause: 'precedence.401-before-429' },
  { before: 410, after: 403, clause: 'precedence.410-before-403' },
  { before: 410, after: 429, clause: 'precedence.410-before-429' },
  { before: 403, after: 429, clause: 'precedence.403-before-429' },
];

/** Statuses whose codes come in the order of their table. Section 7.2. */
const tableOrder: readonly { status: number; clause: ClauseId }[] = [
  { status: 401, clause: 'precedence.order-of-401' },
  { status: 403, clause: 'precedence.order-of-403' },
];

const table: readonly PlatformCode[] = Object.values(codes);

/** The statuses of the gateway's refusals, from the one that is answered first. */
const statusesInOrder: readonly number[] = [401, 410, 403, 429];

/** The refusals of the gateway, from the one that is answered first. */
export const refusalsInOrder: readonly PlatformCode[] = statusesInOrder.flatMap((status) =>
  table.filter((refusal) => refusal.status === status),
);

/** The refusal with that platform code, if the contract knows one. */
export function refusalWith(code: number): PlatformCode | undefined {
  return table.find((refusal) => refusal.code === code);
}

/** What the contract says of a request that deserves both refusals; `undefined` where it leaves that open. */
export function statedOrder(one: PlatformCode, other: PlatformCode): StatedOrder | undefined {
  if (one.code === other.code) return undefined;
  if (one.status === other.status) return orderInTable(one, other);
  const isOf = (before: PlatformCode, after: PlatformCode): ClauseId | undefined =>
    statusOrder.find((row) => row.before === before.status && row.after === after.status)?.clause;
  return stated(one, isOf(one, other)) ?? stated(other, isOf(other, one));
}

function orderInTable(one: PlatformCode, other: PlatformCode): StatedOrder | undefined {
  const clause = tableOrder.find(({ status }) => status === one.status)?.clause;
  const first = table.find(({ code }) => code === one.code || code === other.code);
  return first && stated(first, clause);
}

function stated(first: PlatformCode, id: ClauseId | undefined): StatedOrder | undefined {
  const level = id === undefined ? undefined : findClause(id)?.level;
  return id === undefined || level === undefined ? undefined : { first, level, clause: id };
}
