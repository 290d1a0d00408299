import { createRequire } from 'node:module'

/** The version of the service, from its package.json. */
export const { version: VERSION } = createRequire(import.meta.url)('../../package.json') as {
  version: string
}
