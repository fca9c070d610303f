import { defineConfig } from 'oxlint';
import { forbiddenParts, parts } from './boundaries.ts';

const boundaryOverrides = parts.map((part) => ({
  files: [`${part}/**/*.ts`],
  excludeFiles: ['**/*.test.ts', '**/testing/**'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: forbiddenParts(part).map((other) => ({
          group: [`**/../${other}/**`],
          message: `${part}/ may not import ${other}/ (see boundaries.ts).`,
        })),
      },
    ] as ['error', object],
  },
}));

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
    'vitest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*', 'fc.assert', 'bench.compare'] }],
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
    { files: ['**/*.test.ts', '**/testing/**', 'bench/**'], rules: { 'max-lines-per-function': 'off' } },
    // Rules hold stages, and stages are given the rules: in the simulator types still go in circles.
    {
      files: ['simulator/**/*.ts'],
      rules: { 'import/no-cycle': ['error', { ignoreTypes: true }] },
    },
    // A check asserts through its trial, and fails itself when it asserted nothing.
    { files: ['specs/kit/check.ts'], rules: { 'vitest/expect-expect': 'off' } },
  ],
});
