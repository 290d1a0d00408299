import { randomBytes } from 'node:crypto'
import { mkdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import type { Config } from './config.ts'
import { hashToken } from './core/ids.ts'
import { CitusSetupError, isDistributedAt } from './database/citus/distribute.ts'
import { isLockTimeout } from './database/errors.ts'
import { migrate, SchemaError, schemaState } from './database/migrate.ts'
import { otherOwner } from './embedded/cluster.ts'
import { readOrCreate } from './embedded/createOnce.ts'
import { startEmbedded } from './embedded/server.ts'
import { EmbeddedSetupError } from './embedded/setupError.ts'
import { parseKey, readNextKey, useNextKey } from './keyFiles.ts'
import { isPepperValid, isSecretKeyValid } from './ops/secrets.ts'
import { logOutagesOnce } from './outageLog.ts'
import { openService, type Service } from './service.ts'

export type OpenedService = {
  readonly service: Service
  readonly databaseUrl: string
  readonly close: () => Promise<void>
  /** Rejects when the embedded database moved to another port. */
  readonly lost: Promise<never>
}

/**
 * Opens the service: starts the embedded database if needed, migrates, connects and checks the keys. Without
 * `upgrade` it migrates only an empty database. The server and the command line both use it, alone or at the same time.
 */
export async function open(config: Config, options: Options): Promise<OpenedService> {
  try {
    return await openOnce(config, options)
  } catch (error) {
    if (!(error instanceof KeyReplaced)) throw error
    options.print(error.message)
    return openOnce(config, options)
  }
}

type Options = {
  readonly log: Logger
  readonly print: (line: string) => void
  readonly upgrade: boolean
  readonly isService?: boolean
  readonly distribute?: boolean
  /** How PostgreSQL lists the connections. */
  readonly applicationName?: string | undefined
}

async function openOnce(
  config: Config,
  { log, print, upgrade, isService = false, distribute = false, applicationName }: Options,
): Promise<OpenedService> {
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 })
  const embedded =
    config.databaseUrl === null
      ? await startEmbedded({
          folder: config.dataFolder,
          archive: config.archiveFolder,
          isService,
          log: print,
        }).catch(asSetupError)
      : null
  const databaseUrl = config.databaseUrl ?? embedded!.url
  try {
    if (upgrade) await migrate(databaseUrl, { distribute, print }).catch(asSetupError)
    const { dataFolder } = config
    const secret = await openKey(config.secretKey, join(dataFolder, 'secret.key'))
    const pepper = await openKey(config.pepper, join(dataFolder, 'pepper.key'))
    const removeNewKeys = async () => {
      await secret.removeIfNew()
      await pepper.removeIfNew()
    }
    const isDistributed = await isDistributedAt(databaseUrl)
    const service = openService(config, {
      databaseUrl,
      secretKey: secret.key,
      pepper: pepper.key,
      log,
      isDistributed,
      applicationName,
    })
    try {
      const state = upgrade ? 'current' : await schemaState(service.database)
      if (state === 'empty') await migrate(databaseUrl)
      if (state === 'older') {
        // The database has been used with other keys. Don't leave new ones in their place.
        await removeNewKeys()
        throw new SetupError(OLDER_SCHEMA)
      }
      const fingerprintOf = (key: Buffer) => hashToken(key.toString('base64'))
      const isValid = (key: Buffer) =>
        isSecretKeyValid(service.database, fingerprintOf(key)).catch(asKeyInUse)
      if (!(await isValid(secret.key))) {
        const next = config.secretKey === null ? await readNextKey(dataFolder) : null
        if (next !== null && (await isValid(next))) {
          throw new KeyReplaced(keyReplaced(await useNextKey(dataFolder)))
        }
        // The right key is lost or elsewhere. Don't leave a new one, or a new pepper, in its place.
        await removeNewKeys()
        throw new SetupError(OTHER_KEY)
      }
      // From here on the database may have the hash of a new secret key, so its file must stay.
      if (!(await isPepperValid(service.database, fingerprintOf(pepper.key)))) {
        // The right pepper is lost or elsewhere.
        await pepper.removeIfNew()
        throw new SetupError(OTHER_PEPPER)
      }
      await service.clock.sync()
      await service.cluster?.renew()
      // A worker of the cluster that is down keeps its prepared transactions. The loop ends them when the worker is back.
      await service.cluster?.recover()
    } catch (error) {
      await service.close()
      throw error
    }
    return {
      service,
      databaseUrl,
      lost: new Promise((_resolve, reject) => {
        void embedded?.moved.then(() => reject(new SetupError(DATABASE_MOVED)))
      }),
      close: async () => {
        await service.close()
        await embedded?.stop()
      },
    }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

/** A problem that only the operator can fix. The message says how. */
export class SetupError extends Error {}

function asSetupError(error: unknown): never {
  const isKnown =
    error instanceof CitusSetupError ||
    error instanceof EmbeddedSetupError ||
    error instanceof SchemaError
  throw isKnown ? new SetupError(error.message) : error
}

/** `florin rotate-key` was interrupted after its commit, so the database has the next key. */
class KeyReplaced extends Error {}

const keyReplaced = (oldFile: string | null) =>
  `florin rotate-key was interrupted. The database has the new key, which is now in secret.key.${oldFile === null ? '' : ` The old key is in ${oldFile}.`}`

function asKeyInUse(error: unknown): never {
  throw isLockTimeout(error) ? new SetupError(KEY_IN_USE) : error
}

const KEY_IN_USE = 'florin rotate-key is running. Start again when it has finished.'
const DATABASE_MOVED =
  'The embedded PostgreSQL restarted on another port, because its own was taken. Start Florin again: npm start'
const OLDER_SCHEMA =
  'The database is older than this version of Florin. Migrate it: npx florin migrate'
const OTHER_KEY =
  'The secrets in this database are encrypted with another key. Set FLORIN_SECRET_KEY to the key of the ' +
  'first start, or of the last florin rotate-key. If it was not set then, restore the file secret.key in FLORIN_DATA.'
const OTHER_PEPPER =
  'The PINs in this database are hashed with another pepper. Set FLORIN_PEPPER to the pepper of the first ' +
  'start. If it was not set then, restore the file pepper.key in FLORIN_DATA. If it is lost, see docs/security.md.'

/** Returns the configured key, or that of the file. Creates a file that doesn't exist, readable only by the owner of the folder. */
async function openKey(configured: Buffer | null, path: string) {
  if (configured !== null) return { key: configured, removeIfNew: async () => {} }
  const fresh = randomBytes(32).toString('base64')
  const user = await otherOwner(dirname(path))
  const text = await readOrCreate(path, { text: fresh, user }).catch(asSetupError)
  const key = parseKey(text)
  if (key === null) {
    throw new SetupError(
      `${path} is damaged: it must contain 32 bytes in base64. Restore it from a copy.`,
    )
  }
  const removeIfNew = async () => {
    if (text === fresh) await unlink(path)
  }
  return { key, removeIfNew }
}

/**
 * Standard output. If it is a file on a full disk, the service continues. Once there is space, the next line also writes the lines
 * that could not be written.
 */
export function createOutput() {
  const output = pino.destination({ fd: 1 })
  output.on('error', () => {
    // At exit, this function would retry without end.
    output.flushSync = () => {}
  })
  return output
}

/** Logs are JSON lines. Fields that may contain a secret are redacted, and an outage of the database is logged once. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const secrets = [
    'api-key',
    'api-secret',
    'authorization',
    'cookie',
    'set-cookie',
    'pin',
    'password',
    'current',
    'new',
    'token',
    'api_secret',
  ]
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: '[hidden]',
    },
    serializers: { err: serializeError },
    hooks: logOutagesOnce(),
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/**
 * Logs only selected fields. The driver attaches its whole connection to an error, and PostgreSQL quotes the
 * row that it refuses, with names, phone numbers and hashes of PINs.
 */
function serializeError(error: Error): object {
  const { type, message, stack } = pino.stdSerializers.err(error)
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return { type, message, code, constraint, stack }
}
