/** Who may import whom, one row a part: the only cross-part imports that the lint step lets through. */
export const boundaries = {
  contract: [],
  schemas: ['contract'],
  generators: ['contract', 'schemas'],
  client: ['contract'],
  trace: ['contract', 'schemas', 'client'],
  judge: ['contract', 'schemas', 'trace'],
  targets: ['contract', 'schemas', 'client', 'trace', 'simulator'],
  specs: ['contract', 'schemas', 'generators', 'client', 'trace', 'judge', 'targets'],
  reports: ['contract', 'schemas', 'trace'],
  simulator: ['contract', 'schemas'],
  desk: [
    'contract',
    'schemas',
    'generators',
    'client',
    'trace',
    'judge',
    'targets',
    'reports',
    'runner',
    'mutants',
    'bench',
  ],
  bench: ['contract', 'schemas', 'generators', 'client', 'trace', 'judge', 'targets', 'specs', 'simulator', 'runner'],
  mutants: [
    'contract',
    'schemas',
    'generators',
    'client',
    'trace',
    'judge',
    'simulator',
    'runner',
    'targets',
    'reports',
  ],
  runner: ['contract', 'schemas', 'generators', 'client', 'trace', 'judge', 'targets', 'reports'],
} as const satisfies Record<string, readonly string[]>;

/** A folder that the table speaks of. */
export type Part = keyof typeof boundaries;

/** The folders that the table speaks of. */
export const parts: readonly Part[] = Object.keys(boundaries).filter((name): name is Part => name in boundaries);

/** The parts that `part` must not import. */
export function forbiddenParts(part: Part): Part[] {
  const allowed: readonly string[] = boundaries[part];
  return parts.filter((other) => other !== part && !allowed.includes(other));
}

/** What the simulator's rules must not import of it: they are handed what they judge by. */
export const outOfReachOfRules = [
  'authority',
  'certificates',
  'control',
  'endpoints',
  'gateway',
  'issuance',
  'state',
  'webhooks',
  'service.ts',
] as const;
