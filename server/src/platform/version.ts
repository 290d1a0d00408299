import { createRequire } from 'node:module'

/** Of the service, as its package names it. */
export const { version: VERSION } = createRequire(import.meta.url)('../../package.json') as {
  version: string
}
