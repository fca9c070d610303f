import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { settingsTable, type Setting } from './runner/settings/settings-table.ts';
import { settingNames } from './runner/settings/settings.ts';
import projectPackage from './package.json' with { type: 'json' };
import manifest from './package.json' with { type: 'json' };

const textOf = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8');
const nightly = textOf('.github/workflows/nightly.yml');
const texts = [nightly, textOf('.github/workflows/push.yml'), textOf('.github/nightly.sh')];

/** The steps of the nightly workflow, each from its dash on. */
const steps = nightly.split(/^ {6}- /m).slice(1);

describe('what is kept from night to night', () => {
  const keeping = steps.filter((text) => /^ {10}KEPT: history$/m.test(text));

  test('is kept for each target by itself, in the folder that is cached', () => {
    expect(keeping.map((text) => /nightly\.sh (?:run|server) (.*)/.exec(text)?.[1]).filter(Boolean)).toEqual([
      '"The container" npm run report -- --merge shards',
      'Homologacao',
    ]);
    expect(nightly.match(/^ {10}path: history$/gm)).toHaveLength(4);
  });

  test('is there before the packages are, and is saved also without a history: it tells of untested nights', () => {
    expect(keeping.map((text) => /nightly\.sh (\w+)/.exec(text)?.[1])).toEqual(['install', 'run', 'install', 'server']);
    const saved = steps.filter((text) => text.includes('cache/save'));
    expect(saved).toHaveLength(2);
    for (const text of saved) expect(text).toContain("if: ${{ !cancelled() && hashFiles('history/**') != '' }}");
    const order = steps.map((text) => /cache\/(restore|save)|nightly\.sh (install)/.exec(text)?.slice(1).join(''));
    expect(order.filter(Boolean)).toEqual(['install', 'restore', 'install', 'save', 'restore', 'install', 'save']);
  });
});

describe('the proof of the suite', () => {
  test('is made by every job that publishes a report, right before it', () => {
    const names = steps.map((text) => /nightly\.sh (mutants|run "The container"|server Homologacao)/.exec(text)?.[1]);
    const proven = names.flatMap((name, at) => (name === 'mutants' ? [names[at + 1]] : []));
    expect(proven).toEqual(['run "The container"', 'server Homologacao']);
  });
});

describe('the workflows', () => {
  test('reach secrets in one step only, which runs the suite', () => {
    const withSecrets = steps.filter((text) => text.includes('secrets.'));
    expect(withSecrets).toHaveLength(1);
    expect(withSecrets[0]).toMatch(/run: bash \.github\/nightly\.sh server Homologacao\n/);
    expect(nightly.slice(0, nightly.indexOf('      - '))).not.toContain('secrets.');
    expect(texts.slice(1).join('')).not.toContain('secrets.');
  });

  test('use scripts of the project only', () => {
    const scripts = texts.flatMap((text) => [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name ?? ''));
    expect(scripts).toContain('report');
    for (const name of scripts) expect(Object.keys(projectPackage.scripts)).toContain(name);
  });

  test('set settings of the suite only', () => {
    const names = texts.flatMap((text) => text.match(/\bNFE_[A-Z_]+/g) ?? []);
    for (const name of names) expect(settingNames).toContain(name);
  });

  /** Settings that the workflow decides: the target, the seed of the night, and where things are kept. */
  const decided = new Set(['NFE_TARGET', 'NFE_SEED', 'NFE_REPORT_DIR', 'NFE_BASELINE', 'NFE_HISTORY']);
  const settings: readonly Setting[] = Object.values(settingsTable);

  test.each(settings.filter(({ name }) => !decided.has(name)))(
    'pass on $name, a secret as a secret and all else as a variable',
    ({ name, secret }) => {
      const step = steps.find((text) => text.includes('nightly.sh server'));
      expect(step).toContain(`          ${name}: \${{ ${secret ? 'secrets' : 'vars'}.${name} }}\n`);
    },
  );

  test('have a shard for each part that they divide the run into', () => {
    expect(nightly).toContain('shard: [1, 2, 3, 4]');
    expect(nightly).toContain('SHARD: ${{ matrix.shard }}/4');
  });
});

const dockerfile = readFileSync(new URL('Dockerfile', import.meta.url), 'utf8');

function sourcesOf(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(^|\/)(testing|vectors)\//.test(file))
    .map((file) => readFileSync(new URL(`${folder}/${file}`, import.meta.url), 'utf8'));
}

test('the image keeps exactly the libraries that the simulator loads', () => {
  const folders = [...dockerfile.matchAll(/^COPY (\w+) \.\/\w+$/gm)].map(([, folder = '']) => folder);
  const text = folders.flatMap(sourcesOf).join('\n');
  const specifiers = [
    ...text.matchAll(/^(?:import(?! type)|export|\}) .*from '([^.'][^']*)';$/gm),
    ...text.matchAll(/await import\('([^.'][^']*)'\)/g),
  ];
  const loaded = new Set(specifiers.map(([, specifier = '']) => specifier));
  const left = / npm uninstall (?:--[\w=-]+ )*(.*) \\$/m.exec(dockerfile)?.[1]?.split(' ');
  const unloaded = Object.keys(manifest.dependencies).filter(
    (name) => ![...loaded].some((specifier) => specifier === name || specifier.startsWith(`${name}/`)),
  );
  expect(folders).toEqual(['contract', 'schemas', 'simulator']);
  expect(left).toEqual(unloaded);
});
