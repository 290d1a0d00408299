import { type Config, ConfigError, readConfig } from '@florin/server/config.js'
import { DatabaseUnavailable, isConnectionLost } from '@florin/server/database/errors.js'
import { createLog, type Opened, open, SetupError } from '@florin/server/open.js'
import { Refused, Unreachable } from './failure.ts'

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
  {
    upgrade = false,
    distribute = false,
    config = localConfig(),
  }: { upgrade?: boolean; distribute?: boolean; config?: Config } = {},
): Promise<T> {
  let opened: Opened
  try {
    opened = await open(config, { log: createLog('silent'), say: () => {}, upgrade, distribute })
  } catch (error) {
    if (error instanceof SetupError) throw new Refused(error.message)
    const isAway = error instanceof DatabaseUnavailable || isConnectionLost(error)
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
