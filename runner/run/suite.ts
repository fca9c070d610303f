import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Results } from '../../schemas/results.ts';
import projectPackage from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Version of this suite and, where it lies in a repository, its commit; `+` behind it says that files were changed. */
export function suiteFacts(): NonNullable<Results['suite']> {
  const commit = commitOf(root);
  return { version: projectPackage.version, ...(commit === undefined ? {} : { commit }) };
}

/** The commit that a folder was checked out from; `undefined` outside a repository of its own, or without git. */
export function commitOf(folder: string): string | undefined {
  // A copy of the suite inside somebody else's repository is not at that repository's commit.
  const isOwn = git(folder, 'rev-parse', '--show-prefix') === '';
  if (!isOwn) return undefined;
  const commit = git(folder, 'rev-parse', '--short=12', 'HEAD');
  return commit && git(folder, 'status', '--porcelain', '--untracked-files=no') !== '' ? `${commit}+` : commit;
}

function git(folder: string, ...words: readonly string[]): string | undefined {
  try {
    return execFileSync('git', ['-C', folder, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}
