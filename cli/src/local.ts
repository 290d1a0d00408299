import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import { buildApp } from '@florin/server/app.js'
import { ConfigError, readConfig } from '@florin/server/config.js'
import { createLog, type Opened, open, SetupError } from '@florin/server/open.js'

export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: Record<string, unknown>
}

/** What the service said no to, in its own words. */
export class Refused extends Error {}

/**
 * Opens the database that a running service uses, or starts it for as long as the command takes.
 * What goes wrong on the way is said in a line.
 */
export async function withService<T>(
  work: (opened: Opened) => Promise<T>,
  { upgrade = false }: { upgrade?: boolean } = {},
): Promise<T> {
  let opened: Opened
  try {
    const config = readConfig(process.env)
    opened = await open(config, { log: createLog('silent'), say: () => {}, upgrade })
  } catch (error) {
    if (error instanceof ConfigError || error instanceof SetupError)
      throw new Refused(error.message)
    throw new Refused(`Cannot open the database: ${(error as Error).message}`)
  }
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

/**
 * Does what the operator's API does, through the same routes, so that both check and record alike.
 * Within this process: no port, and a token that dies with it.
 */
export async function callOperator({ method, path, body }: Call): Promise<unknown> {
  return withService(async ({ service }) => {
    const token = randomBytes(32).toString('base64url')
    const name = `${userInfo().username} (command line)`
    const app = await buildApp(service, { localOperator: { token, name } })
    try {
      const response = await app.inject({
        method,
        url: path,
        headers: { authorization: `Bearer ${token}` },
        ...(body ? { payload: body } : {}),
      })
      const answer = response.json<{
        message: string
        data: unknown
        errors?: { message: string }[]
      }>()
      if (response.statusCode === 200) return answer.data
      const details = answer.errors?.map((error) => `  - ${error.message}`) ?? []
      throw new Refused([answer.message, ...details].join('\n'))
    } finally {
      await app.close()
    }
  })
}
