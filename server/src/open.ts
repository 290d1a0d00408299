import { randomBytes } from 'node:crypto'
import { unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import type { Config } from './config.ts'
import { fingerprintOf } from './core/secrets.ts'
import { CitusSetupError, isDistributedAt } from './database/citus/distribute.ts'
import { isLockTimeout } from './database/errors.ts'
import { migrate, SchemaError, schemaState } from './database/migrate.ts'
import { otherOwner } from './embedded/cluster.ts'
import { createFolder } from './embedded/createFolder.ts'
import { readOrCreate } from './embedded/createOnce.ts'
import { startEmbedded } from './embedded/server.ts'
import { EmbeddedSetupError } from './embedded/setupError.ts'
import { parseKey, readKeyFile, readNextKey, UnreadableKey, useNextKey } from './keyFiles.ts'
import { isPepperValid, isSecretKeyValid } from './ops/secrets.ts'
import { logOutagesOnce } from './outageLog.ts'
import { openService, type Service } from './service.ts'
import { findKeyHashesAt } from './sql/secrets.ts'

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
export async function open(
  config: Config,
  {
    log,
    print,
    upgrade,
    isService = false,
    distribute = false,
    acceptsAnyPepper = false,
    applicationName,
  }: {
    log: Logger
    print: (line: string) => void
    upgrade: boolean
    isService?: boolean
    distribute?: boolean
    /** Also opens the service with a pepper other than that of the database. Only for resetting it. */
    acceptsAnyPepper?: boolean
    /** How PostgreSQL lists the connections. */
    applicationName?: string | undefined
  },
): Promise<OpenedService> {
  await createFolder(config.dataFolder)
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
    await checkKeys(config, databaseUrl, { print, acceptsAnyPepper }).catch(asSetupError)
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
      // Another process may have stored its keys since `checkKeys`.
      const isValid = await isSecretKeyValid(service.database, fingerprintOf(secret.key)).catch(
        asKeyInUse,
      )
      if (!isValid) {
        await removeNewKeys()
        throw new SetupError(OTHER_KEY)
      }
      // From here on the database may have the hash of a new secret key, so its file must stay.
      const hash = fingerprintOf(pepper.key)
      if (!acceptsAnyPepper && !(await isPepperValid(service.database, hash))) {
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
    error instanceof SchemaError ||
    error instanceof UnreadableKey
  throw isKnown ? new SetupError(error.message) : error
}

/** Refuses keys that are not those of the database, before anything is changed, and creates none. */
async function checkKeys(
  config: Config,
  databaseUrl: string,
  { print, acceptsAnyPepper }: { print: (line: string) => void; acceptsAnyPepper: boolean },
) {
  const { dataFolder } = config
  const stored = await findKeyHashesAt(databaseUrl)
  if (config.secretKey === null && stored.secretKey !== null) {
    await finishRotation(dataFolder, stored.secretKey, print)
  }
  const isUsable = async (keyHash: Buffer | null, configured: Buffer | null, file: string) => {
    if (keyHash === null) return true
    const key = configured ?? (await readKey(join(dataFolder, file)))
    return key !== null && fingerprintOf(key).equals(keyHash)
  }
  if (!(await isUsable(stored.secretKey, config.secretKey, 'secret.key'))) {
    throw new SetupError(OTHER_KEY)
  }
  if (!acceptsAnyPepper && !(await isUsable(stored.pepper, config.pepper, 'pepper.key'))) {
    throw new SetupError(OTHER_PEPPER)
  }
}

/** If `florin rotate-key` was interrupted after its commit, the database has the next key. */
async function finishRotation(folder: string, keyHash: Buffer, print: (line: string) => void) {
  const next = await readNextKey(folder)
  if (next === null || !fingerprintOf(next).equals(keyHash)) return
  const oldFile = await useNextKey(folder)
  print(
    `florin rotate-key was interrupted. The database has the new key, which is now in secret.key.${oldFile === null ? '' : ` The old key is in ${oldFile}.`}`,
  )
}

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
  'start, or of the last florin reset-pepper. If it was not set then, restore the file pepper.key in FLORIN_DATA. ' +
  'If it is lost: npx florin reset-pepper'

/** Null if there is no file. */
async function readKey(path: string): Promise<Buffer | null> {
  const text = await readKeyFile(path)
  return text === null ? null : parseKeyOf(path, text)
}

function parseKeyOf(path: string, text: string): Buffer {
  const key = parseKey(text)
  if (key !== null) return key
  throw new SetupError(
    `${path} is damaged: it must contain 32 bytes in base64. Restore it from a copy.`,
  )
}

/** Returns the configured key, or that of the file. Creates a file that doesn't exist, readable only by the owner of the folder. */
async function openKey(configured: Buffer | null, path: string) {
  if (configured !== null) return { key: configured, removeIfNew: async () => {} }
  const fresh = randomBytes(32).toString('base64')
  const user = await otherOwner(dirname(path))
  const text = await readOrCreate(path, { text: fresh, user }).catch(asSetupError)
  const key = parseKeyOf(path, text)
  const removeIfNew = async () => {
    if (text === fresh) await unlink(path)
  }
  return { key, removeIfNew }
}

/** At least some seconds of the log under full load. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024
/** At exit, lines are dropped if nobody reads any for this long. */
const MAX_STALL_MS = 2_000

/**
 * Standard output. If it is a file on a full disk, or a pipe that nobody reads, the service continues. The lines are kept, up to a
 * limit, and are written when there is space and the next line comes. At exit, a pipe that nobody reads is given up.
 */
export function createOutput(fd = 1) {
  // Null while the process runs: then a full pipe is tried again without end.
  let stall: { bytes: number; sinceMs: number } | null = null
  const retryEAGAIN = (_error: Error, writing: number, waiting: number): boolean => {
    if (stall === null) return true
    const bytes = writing + waiting
    if (bytes !== stall.bytes) stall = { bytes, sinceMs: performance.now() }
    return performance.now() - stall.sinceMs < MAX_STALL_MS
  }
  const output = pino.destination({ fd, maxLength: MAX_BUFFERED_BYTES, retryEAGAIN })
  const flushSync = output.flushSync.bind(output)
  output.flushSync = () => {
    stall = { bytes: -1, sinceMs: 0 }
    try {
      flushSync()
    } catch {
      // Nobody reads the pipe.
    }
    stall = null
  }
  output.on('error', () => {
    // At exit, this function would retry without end.
    output.flushSync = () => {}
  })
  let dropped = 0
  output.on('drop', () => {
    dropped += 1
    // After an error, only a line that is not dropped would try to write again.
    output.write('')
  })
  output.on('drain', () => {
    if (dropped === 0) return
    const msg = 'log lines were dropped, because the output was full or nobody read it'
    const line = { level: 40, time: new Date().toISOString(), dropped, msg }
    dropped = 0
    output.write(`${JSON.stringify(line)}\n`)
  })
  return output
}

/** Logs are JSON lines. Redacts fields that may contain a secret, and logs only the start and the end of a database outage. */
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
