import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { childEnvironment, warmly } from '../testing/warm.ts';
import { settingNames } from '../settings/settings.ts';
import { newFolder } from '../testing/folders.ts';
import type { EndedProcess } from '../testing/warm-process.ts';

const reports = newFolder();

/** What a command says of a server that is not there. */
function ended(command: string, env: Record<string, string>, ...words: string[]): Promise<EndedProcess> {
  const unset = Object.fromEntries(settingNames.map((name) => [name, '']));
  const server = { NFE_BASE_URL: 'http://127.0.0.1:1', NFE_APP_SECRET: 'a-secret', NFE_REPORT_DIR: reports };
  return warmly({ command, words, env: { ...childEnvironment(), ...unset, ...server, ...env } });
}

describe('in Portuguese', () => {
  test('the doctor tells what it finds and what to do', async () => {
    const { stdout } = await ended('doctor', { LC_ALL: 'pt_BR.UTF-8' });
    expect(stdout).toMatch(
      /^✗ problema {2}TCP: não dá para alcançar 127\.0\.0\.1:1 \(ECONNREFUSED\) → nada escuta ali/,
    );
    expect(stdout).toMatch(/\nNão está pronto: 1 problema( \(1 aviso\))?\nPróximo passo: nada escuta ali/);
  });

  test('the doctor of programs is English', async () => {
    const { stdout } = await ended('doctor', { NFE_LANGUAGE: 'pt' }, '--json');
    expect(stdout).toContain('"conclusion": "Not ready: 1 problem');
  });

  test('npm test says why it could not begin, and results.json stays English', async () => {
    const { stdout, stderr } = await ended('test', { NFE_LANGUAGE: 'pt' });
    expect(stderr).toMatch(
      /^error: NFE_BASE_URL: TCP: não dá para alcançar .*; npm run doctor diz tudo o que foi achado\n$/,
    );
    expect(stdout).toMatch(/^Relatórios: /m);
    expect(readFileSync(join(reports, 'results.json'), 'utf8')).toContain("TCP: 127.0.0.1:1 can't be reached");
    expect(readFileSync(join(reports, 'summary.md'), 'utf8')).toMatch(/^## ! Erro\n\n[^]*nada escuta ali/);
  });
});
