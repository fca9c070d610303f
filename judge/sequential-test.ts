/**
 * Wald's sequential test between two rates at which a case fails again: that of a right target behind an honest network, and
 * that of a wrong target. A network that drops one connection in twenty fails a case of ten requests in one try of 900, since a
 * request fails by three in a row that spare their twins; one in a hundred leaves room.
 */
export interface SequentialTest {
  /** Rate at which a case of a right target fails, at most. */
  readonly honest: number;
  /** Rate at which a case of a wrong target fails, at least. */
  readonly wrong: number;
  /** How often a right target is accused, at most. */
  readonly accused: number;
  /** How often a wrong one is let go, at most. */
  readonly missed: number;
}

/** What is held against a target whose failure may be the network's. */
export const againstNetwork: SequentialTest = { honest: 0.01, wrong: 0.5, accused: 0.001, missed: 0.05 };

/** What so many failures and passes say; `undefined` where more tries are needed. */
export function decided(
  { honest, wrong, accused, missed }: SequentialTest,
  { failed, passed }: { readonly failed: number; readonly passed: number },
): 'wrong' | 'honest' | undefined {
  const evidence = failed * Math.log(wrong / honest) + passed * Math.log((1 - wrong) / (1 - honest));
  if (evidence >= Math.log((1 - missed) / accused)) return 'wrong';
  return evidence <= Math.log(missed / (1 - accused)) ? 'honest' : undefined;
}
