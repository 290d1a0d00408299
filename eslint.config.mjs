import { fileURLToPath } from 'node:url'
import tseslint from 'typescript-eslint'

// Biome formats and lints; ESLint is here only for what needs types: a database call that nobody
// awaits is a write that may be lost, and no other tool at hand finds all of them.
export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/*.mjs', '.florin/**'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: {
        project: [
          './shared/tsconfig.json',
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
