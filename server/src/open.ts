import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type DestinationStream,
  type Logger,
  type LoggerOptions,
  pino,
  type SerializedError,
} from 'pino'
import type { Config } from './config.ts'
import { startEmbedded } from './database/embedded.ts'
import { migrate } from './database/migrate.ts'
import { openService, type Service } from './service.ts'

export type Opened = { readonly service: Service; readonly close: () => Promise<void> }

/**
 * From settings to a service that can work: the database runs, is migrated and connected. For the
 * server and for the command line alike, beside each other or alone.
 */
export async function open(
  config: Config,
  { log, say }: { log: Logger; say: (line: string) => void },
): Promise<Opened> {
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 })
  const embedded =
    config.databaseUrl === null
      ? await startEmbedded({ folder: config.dataFolder, log: say })
      : null
  const databaseUrl = config.databaseUrl ?? embedded!.url
  try {
    await migrate(databaseUrl)
    const secretKey = config.secretKey ?? (await keptSecretKey(config.dataFolder))
    const service = openService(config, { databaseUrl, secretKey, log })
    return {
      service,
      close: async () => {
        await service.database.close()
        await embedded?.stop()
      },
    }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

/** The key that encrypts webhook secrets, where none is set: made once, readable by its owner only. */
async function keptSecretKey(folder: string): Promise<Buffer> {
  const path = join(folder, 'secret.key')
  try {
    await writeFile(path, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  await chmod(path, 0o600)
  const key = Buffer.from(await readFile(path, 'utf8'), 'base64')
  if (key.length !== 32) throw new Error(`${path} is damaged: it must hold 32 bytes in base64`)
  return key
}

/** Logs are JSON lines; whatever could be a secret is taken out before it is written. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const secrets = ['api-key', 'api-secret', 'authorization', 'cookie', 'pin', 'token', 'api_secret']
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: '[hidden]',
    },
    serializers: { err: withoutRows },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** PostgreSQL quotes the whole row that it refuses: names, telephone numbers, hashes of PINs. */
function withoutRows(error: Error): object {
  const {
    detail: _,
    where: __,
    ...rest
  } = pino.stdSerializers.err(error) as SerializedError & {
    detail?: unknown
    where?: unknown
  }
  return rest
}
