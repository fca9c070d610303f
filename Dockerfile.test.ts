import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import manifest from './package.json' with { type: 'json' };

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
