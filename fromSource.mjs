import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))

/**
 * Vite and Vitest take our own packages from their sources. What runs in Node.js takes what tsc made
 * of them, as package.json says.
 */
export const fromSource = [
  { find: /^@florin\/(\w+)\/(.+)\.js$/, replacement: `${root}$1/src/$2.ts` },
]
