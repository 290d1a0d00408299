import { userInfo } from 'node:os'
import { type Config, ConfigError, readConfig } from '@florin/server/config.js'
import {
  CommitUnknown,
  DatabaseUnavailable,
  SettingsIgnored,
  translateError,
} from '@florin/server/database/errors.js'
import { createLog, type OpenedService, open, SetupError } from '@florin/server/open.js'
import { explainFileError, privilegeAdvice } from '@florin/server/startErrors.js'
import { commandPoolSize } from './connections.ts'
import { Refused, Unreachable } from './failure.ts'

/** How the audit log names the user of a command. */
export const commandLineName = (): string => `${userName()} (command line)`

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // In a container, a user can have a number without an account.
    return `user ${process.getuid?.()}`
  }
}

/** Reads the settings from the environment. */
export function readLocalConfig(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    throw error instanceof ConfigError ? new Refused(error.message) : error
  }
}

function readCommandConfig(): Config {
  const config = readLocalConfig()
  return { ...config, poolSize: commandPoolSize(config) }
}

/**
 * Opens the service's database. Starts the embedded one if it isn't running, and stops it afterwards unless another
 * process uses it. Expected errors become one-line messages.
 */
export async function withService<T>(
  work: (opened: OpenedService) => Promise<T>,
  {
    upgrade = false,
    distribute = false,
    acceptsAnyPepper = false,
    config = readCommandConfig(),
    print = () => {},
    applicationName,
  }: {
    upgrade?: boolean
    distribute?: boolean
    acceptsAnyPepper?: boolean
    config?: Config
    print?: (line: string) => void
    applicationName?: string
  } = {},
): Promise<T> {
  let opened: OpenedService
  try {
    const log = createLog('silent')
    const options = { upgrade, distribute, acceptsAnyPepper, applicationName }
    opened = await open(config, { log, print, ...options })
  } catch (error) {
    if (error instanceof SetupError) throw new Refused(error.message)
    if (error instanceof DatabaseUnavailable && error.cause instanceof SettingsIgnored) {
      throw new Refused(`Cannot use the database: ${error.cause.message}.`)
    }
    const fileProblem = explainFileError(error)
    if (fileProblem !== null) throw new Refused(fileProblem)
    const { path } = error as NodeJS.ErrnoException
    const isUnreachable = path === undefined && translateError(error) instanceof DatabaseUnavailable
    const advice = privilegeAdvice(error)
    const message = `Cannot open the database: ${reasonOf(error)}${advice === null ? '' : `. ${advice}`}`
    throw isUnreachable ? new Unreachable(message) : new Refused(message)
  }
  try {
    return await work(opened)
  } catch (error) {
    const isUnreachable = error instanceof DatabaseUnavailable || error instanceof CommitUnknown
    throw isUnreachable ? new Unreachable(error.message) : error
  } finally {
    await opened.close()
  }
}

/** The message of an error. An AggregateError has none of its own: returns that of its first error. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return message || code || String(error)
}
