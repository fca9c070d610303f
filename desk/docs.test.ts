import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mustJudged, catalogue } from '../contract/catalogue.ts';
import projectPackage from '../package.json' with { type: 'json' };
import { settingNames } from '../runner/settings/settings.ts';
import { commands, generatedParts, withGenerated } from './docs.ts';

describe('documents', () => {
  const textOf = (file: string): string => readFileSync(file, 'utf8');
  const documents = ['README.md', 'README.pt-BR.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/**/*.md')];
  const helps = textOf('docs/commands.md').split(/^## /m).slice(1);

  /** All that a pattern finds in a text: its first group. */
  const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, one = '']) => one);

  /** Headings as GitHub links to them. */
  function anchors(file: string): string[] {
    const headings = found(textOf(file).replace(/^```.*?^```/gms, ''), /^#+ (.*)$/gm);
    return headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    );
  }

  /** Whether a link in a file leads to a file, and to a heading in it where it names one. */
  function isThere(file: string, link: string): boolean {
    const [path = '', fragment] = link.split('#');
    const target = path === '' ? file : join(dirname(file), path);
    return existsSync(target) && (fragment === undefined || anchors(target).includes(fragment));
  }

  describe.each(documents)('%s', (file) => {
    const text = textOf(file);

    test('links to what is there', () => {
      const broken = found(text, /\]\(((?!https?:)[^)\s]+)\)/g).filter((link) => !isThere(file, link));
      expect(broken).toEqual([]);
    });

    test('names scripts of the project only', () => {
      for (const name of found(text, /npm run ([\w:]+)/g)) expect(Object.keys(projectPackage.scripts)).toContain(name);
    });

    test('names options that the command has', () => {
      for (const [line, call = ''] of text.matchAll(/\b(npm (?:test|run \w+)) -- [^`\n#]*/g)) {
        const help = helps.find((one) => one.startsWith(`${call}\n`));
        for (const option of found(line, /\s(--[a-z][\w-]*)/g)) expect(help).toContain(`${option} `);
      }
    });

    test('names settings of the suite only', () => {
      for (const name of found(text, /\b(NFE_[A-Z_]+)/g)) expect(settingNames).toContain(name);
    });
  });

  describe('README.md', () => {
    const text = textOf('README.md');

    test('is for people in a hurry', () => {
      expect(text.split('\n').length).toBeLessThanOrEqual(151);
    });

    test('has two commands that verify a clone of it', () => {
      expect(text.match(/^npm ci && .*$/gm)).toEqual(['npm ci && npm test', 'npm ci && npm run verify']);
    });

    test('shows the figures of this edition', () => {
      const must = String(mustJudged(catalogue, true).length);
      expect(found(text, /all (\d+) must clauses/g)).toEqual([must, must]);
    });
  });

  describe('README.pt-BR.md', () => {
    const [english, portuguese] = [textOf('README.md'), textOf('README.pt-BR.md')];
    const both = (pattern: RegExp): string[][] => [english, portuguese].map((text) => found(text, pattern));

    test.each([
      ['headings', /^(#+) /gm],
      ['blocks', /^```(\w*)$/gm],
      ['commands', /^((?:npm|cp|bash|docker) [^#\n]*?) *(?:#.*)?$/gm],
      ['output', /^((?:topic|must|every|Conformant|Level|Reports).*)$/gm],
      ['settings', /\b(NFE_[A-Z_]+(?:=\w+)?)/g],
      ['links', /\]\((?!README)([^)]+)\)/g],
      ['rows of tables', /^(\|)/gm],
    ])('has the %s of README.md, in its order', (_, pattern) => {
      const [one, other] = both(pattern);
      expect(other).toEqual(one);
      expect(one).not.toEqual([]);
    });
  });

  describe('docs/control-api.md', () => {
    test('has a row for each request that the simulator takes', () => {
      const routes = [...textOf('simulator/control/api.ts').matchAll(/method: '(\w+)', path: '([^']+)'/g)];
      const rows = found(textOf('docs/control-api.md'), /^\| `((?:GET|POST|PUT|PATCH|DELETE) [^`]+)` \|/gm);
      expect(rows.toSorted()).toEqual(routes.map(([, method, path]) => `${method} ${path}`).toSorted());
    });
  });
});

describe('commands', () => {
  /** What each prints with --help, which generated-docs.test.ts holds this document to. */
  const helps = readFileSync('docs/commands.md', 'utf8').split(/^## /m).slice(1);

  describe('every command', () => {
    test.each(commands())('$call explains itself with --help', ({ call }) => {
      const help = helps.find((text) => text.startsWith(`${call}\n`));
      const [, usage = '', blank] = (help ?? '').split(/\n+```\n|\n/);
      expect(usage.split(/ --| [A-Z]/)[0]).toBe(call);
      expect(blank).toBe('');
      expect(help).toMatch(/^ {2}--help +print this$/m);
    });

    test('is a program of the project: the tools and its own checks are none', () => {
      const calls = commands().map(({ call }) => call);
      expect(calls).toContain('npm test');
      expect(calls).toContain('npm run simulator');
      expect(calls).not.toContain('npm run verify');
      expect(calls).not.toContain('npm run lint');
    });
  });
});

describe('generated docs', () => {
  test.each([...new Set(generatedParts.map(({ file }) => file))])('%s is as `npm run docs` writes it', (file) => {
    const text = readFileSync(file, 'utf8');
    expect(withGenerated(file, text)).toBe(text);
  });

  test('a document without a place for what is generated is an error that names both', () => {
    expect(() => withGenerated('docs/profile.md', 'no place')).toThrow(/docs\/profile\.md has no place for profile/);
  });
});
