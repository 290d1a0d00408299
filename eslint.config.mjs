import { fileURLToPath } from 'node:url'
import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'

// Biome formats and lints. ESLint adds what Biome lacks: it finds promises that are not awaited, which can lose a
// write, and regular expressions with super-linear time, which can stall the process.
export default tseslint.config(
  {
    // The integrations need the types of their engines, which are not installed here. `npm run test:shops` lints them.
    ignores: ['**/dist/**', '**/node_modules/**', '.florin/**', 'integrations/*/{src,test}/**'],
  },
  {
    // Tests match only our own text.
    files: ['*/src/**/*.ts', '*/src/**/*.tsx', '**/*.mjs'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: {
        project: [
          './shared/tsconfig.json',
          './contract/tsconfig.json',
          './server/tsconfig.json',
          './server/test/tsconfig.json',
          './cli/tsconfig.json',
          './web/tsconfig.json',
          './web/test/tsconfig.json',
          './sdk/tsconfig.json',
        ],
        tsconfigRootDir: fileURLToPath(new URL('.', import.meta.url)),
      },
    },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
    },
  },
)
