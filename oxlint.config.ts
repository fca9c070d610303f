import { defineConfig } from 'oxlint';
import { forbiddenParts, outOfReachOfRules, parts, type Part } from './boundaries.ts';

const notInTests = ['**/*.test.ts', '**/testing/**'];

const foreign = (part: Part): object[] =>
  forbiddenParts(part).map((other) => ({
    group: [`**/../${other}/**`],
    message: `${part}/ may not import ${other}/ (see boundaries.ts).`,
  }));

const restricted = (files: string, patterns: object[]) => ({
  files: [files],
  excludeFiles: notInTests,
  rules: { 'no-restricted-imports': ['error', { patterns }] as ['error', object] },
});

const boundaryOverrides = [
  ...parts.map((part) => restricted(`${part}/**/*.ts`, foreign(part))),
  restricted('simulator/rules/*.ts', [
    ...foreign('simulator'),
    ...outOfReachOfRules.map((other) => ({
      group: [`../${other}`, `../${other}/**`],
      message: `simulator/rules/ may not import simulator/${other} (see boundaries.ts).`,
    })),
  ]),
];

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'promise', 'node', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['reports/out/**'],
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    // More does not fit on a screen.
    'max-lines-per-function': ['error', { max: 62, skipBlankLines: true, skipComments: true }],
    'vitest/valid-expect': ['error', { maxArgs: 2 }],
    'vitest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*', 'fc.assert'] }],
    // fast-check is meant to be used as `fc.integer()`.
    'import/no-named-as-default-member': 'off',
    // The compiler does it better: noImplicitReturns.
    'typescript/consistent-return': 'off',
    'oxc/no-map-spread': 'off',
    'no-await-in-loop': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/consistent-function-scoping': 'off',
    // It is meant for windows of a browser: here messages go to threads.
    'unicorn/require-post-message-target-origin': 'off',
    'eslint/no-shadow': 'off',
  },
  overrides: [
    ...boundaryOverrides,
    { files: ['**/*.test.ts', '**/testing/**'], rules: { 'max-lines-per-function': 'off' } },
    // A check asserts through its trial, and fails itself when it asserted nothing.
    { files: ['specs/kit/check.ts'], rules: { 'vitest/expect-expect': 'off' } },
  ],
});
