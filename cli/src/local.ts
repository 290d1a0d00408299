import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import { buildApp } from '@florin/server/app.js'
import { type Config, ConfigError, readConfig } from '@florin/server/config.js'
import { DatabaseAway, isConnectionLost } from '@florin/server/database/errors.js'
import { createLog, type Opened, open, SetupError } from '@florin/server/open.js'
import { type Problem, Refused, Unreachable } from './failure.ts'

export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: Record<string, unknown>
}

/** The settings of this terminal, which should be those of the service. */
export function localConfig(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    throw error instanceof ConfigError ? new Refused(error.message) : error
  }
}

/**
 * Opens the database that a running service uses, or starts it for as long as the command takes.
 * What goes wrong on the way is said in a line.
 */
export async function withService<T>(
  work: (opened: Opened) => Promise<T>,
  { upgrade = false, config = localConfig() }: { upgrade?: boolean; config?: Config } = {},
): Promise<T> {
  let opened: Opened
  try {
    opened = await open(config, { log: createLog('silent'), say: () => {}, upgrade })
  } catch (error) {
    if (error instanceof SetupError) throw new Refused(error.message)
    const isAway = error instanceof DatabaseAway || isConnectionLost(error)
    const words = `Cannot open the database: ${reasonOf(error)}`
    throw isAway ? new Unreachable(words) : new Refused(words)
  }
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

/** An error that stands for several has no words of its own. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return message || code || String(error)
}

/**
 * Does what the operator's API does, through the same routes, so that both check and record alike.
 * Within this process: no port, and a token that dies with it.
 */
export async function callOperator({ method, path, body }: Call): Promise<unknown> {
  return withService(async ({ service }) => {
    const token = randomBytes(32).toString('base64url')
    const name = `${userInfo().username} (command line)`
    const app = await buildApp(service, { localOperator: { token, name }, withDocs: false })
    try {
      const response = await app.inject({
        method,
        url: path,
        headers: { authorization: `Bearer ${token}` },
        ...(body ? { payload: body } : {}),
      })
      const answer = response.json<{ message: string; data: unknown; errors?: Problem[] }>()
      if (response.statusCode === 200) return answer.data
      if (response.statusCode >= 500) throw new Unreachable(answer.message)
      throw new Refused(answer.message, answer.errors)
    } finally {
      await app.close()
    }
  })
}
