import { fileURLToPath } from 'node:url'
import tseslint from 'typescript-eslint'

// Biome formats and lints; ESLint is here only for what needs types: a database call that nobody
// awaits is a write that may be lost, and no other tool at hand finds all of them.
export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/*.mjs', '.florin/**'] },
  {
    files: ['**/*.ts'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: {
        project: [
          './server/tsconfig.json',
          './server/test/tsconfig.json',
          './cli/tsconfig.json',
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
