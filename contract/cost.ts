import { sideEffects, type SideEffect } from './endpoints.ts';

/** What is counted of requests: how many they are, and what they leave behind at the target. */
export const costKinds = ['requests', ...sideEffects] as const;

export type CostKind = (typeof costKinds)[number];

/** What requests cost a target: how many there are, and what they leave behind. */
export type Cost = Record<CostKind, number>;

/** What of it stays at the target. */
export type LeftBehind = Record<SideEffect, number>;

/** What is left behind, reckoned kind by kind. */
export function leftBehind(of: (what: SideEffect) => number): LeftBehind {
  return {
    companies: of('companies'),
    certificates: of('certificates'),
    addresses: of('addresses'),
    invoices: of('invoices'),
    cancellations: of('cancellations'),
  };
}

/** A cost, reckoned kind by kind. */
export function costBy(of: (kind: CostKind) => number): Cost {
  return { requests: of('requests'), ...leftBehind(of) };
}

/** Costs added up. */
export function sumOfCosts(costs: readonly Cost[]): Cost {
  return costBy((kind) => costs.reduce((sum, cost) => sum + cost[kind], 0));
}

/** The one without the other. */
export function costWithout(whole: Cost, part: Cost): Cost {
  return costBy((kind) => whole[kind] - part[kind]);
}
