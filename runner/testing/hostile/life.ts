import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeForeignProfile } from '../../../targets/testing/foreign/foreign-settings.ts';
import { frontOf, type Ways } from './front.ts';
import { clauseWords } from './kinds.ts';
import { broken, type HostileTarget } from './hostile-target.ts';

/** Clauses that follow links, with the one that the planted breach breaks. */
const linkClauses = [
  'echo.message-returned',
  'nfe-query.xml-link-serves-its-invoice',
  'nfe-query.danfe-link-serves-a-pdf',
];

/** Hostile to whoever issues an invoice and looks at its documents; the breach is elsewhere. */
export function withLife(name: string, ways: Ways, change: Partial<HostileTarget> = {}): HostileTarget {
  return {
    name,
    async start(upstream) {
      const folder = mkdtempSync(join(tmpdir(), 'nfe-hostile-'));
      writeForeignProfile(folder);
      const settings = { NFE_PROFILE: folder, NFE_SETTLE_TIMEOUT: '3', ...ways.settings };
      const staged = await frontOf(upstream, { hasBreach: true, ...ways, settings });
      return {
        ...staged,
        async stop() {
          await staged.stop();
          rmSync(folder, { recursive: true });
        },
      };
    },
    words: clauseWords(linkClauses),
    ends: broken,
    ...change,
  };
}
