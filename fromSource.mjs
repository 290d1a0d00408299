import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))

/**
 * Vite and Vitest resolve our own packages to their sources. Node.js uses the compiled files named in
 * package.json.
 */
export const fromSource = [
  { find: /^@florin\/(\w+)\/(.+)\.js$/, replacement: `${root}$1/src/$2.ts` },
]
