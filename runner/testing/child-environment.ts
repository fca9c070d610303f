/**
 * What a process that a test starts gets of our own environment: where the programs are, and where compiled code is kept,
 * which saves a third of what a run computes before its first check.
 */
export function childEnvironment(): Record<string, string | undefined> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}
