import { configs as litConfigs } from 'eslint-plugin-lit';
import { configs as wcConfigs } from 'eslint-plugin-wc';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const CODE = [
  'src/**/*.ts',
  'server/src/**/*.ts',
  'server/browser-extensions/**/*.ts',
  'demo/**/*.ts',
  'test/**/*.ts',
];

/** Functions that register a test. The runner of node:test awaits their promises. */
const NODE_TEST = { from: 'package', package: 'node:test', name: ['describe', 'it', 'suite', 'test'] };

const NO_ENVIRONMENT = {
  object: 'process',
  property: 'env',
  message: 'Only server/src/config reads the environment.',
};
const NO_EXIT = {
  object: 'process',
  property: 'exit',
  message: 'Only the programs, cli.ts, host/main.ts and egress/main.ts, end the process.',
};

export default defineConfig(
  globalIgnores(['**/dist', '**/.build', 'coverage', 'test/fixtures', '**/*.d.mts']),
  {
    files: CODE,
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: [NODE_TEST] }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Code that types text spreads strings, to get their code points.
      '@typescript-eslint/no-misused-spread': 'off',
      // A port's method is asynchronous even where an adapter has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      // A destructuring may name properties only to leave them out of the rest.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['server/src/**/*.ts'],
    rules: { 'no-restricted-properties': ['error', NO_ENVIRONMENT, NO_EXIT] },
  },
  { files: ['server/src/config/**/*.ts'], rules: { 'no-restricted-properties': ['error', NO_EXIT] } },
  {
    files: ['server/src/cli.ts', 'server/src/host/main.ts', 'server/src/egress/main.ts'],
    rules: { 'no-restricted-properties': ['error', NO_ENVIRONMENT] },
  },
  {
    files: ['src/element/**/*.ts', 'src/replay/**/*.ts', 'demo/**/*.ts'],
    extends: [litConfigs['flat/recommended'], wcConfigs['flat/best-practice']],
    rules: {
      // An interface with the name of the class adds types to `addEventListener` of an element.
      '@typescript-eslint/no-unsafe-declaration-merging': 'off',
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: ['**/*.mjs', '*.ts'],
    rules: { eqeqeq: 'error', 'no-unused-vars': 'error', 'prefer-const': 'error' },
  },
  { files: ['*.ts'], extends: [tseslint.configs.base], rules: { 'no-unused-vars': 'off' } },
);
