import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withoutTrailingSlashes } from '@florin/shared/urls.js'

/** Everything that can be set from outside, in the order of `.env.example`. */
export const SETTINGS = [
  'HOST',
  'PORT',
  'FLORIN_PUBLIC_URL',
  'FLORIN_DATA',
  'DATABASE_URL',
  'FLORIN_DEMO',
  'FLORIN_ARCHIVE',
  'FLORIN_SECRET_KEY',
  'FLORIN_RETENTION_DAYS',
  'FLORIN_WEBHOOK_PRIVATE',
  'FLORIN_WEBHOOK_PORTS',
  'FLORIN_RATE_LIMIT',
  'FLORIN_POOL_SIZE',
  'FLORIN_PROCESSES',
  'FLORIN_ROLE',
  'FLORIN_DRAIN_SECONDS',
  'FLORIN_TRUST_PROXY',
  'FLORIN_LOG_LEVEL',
] as const

export type Config = {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  readonly dataFolder: string
  /** Null: the embedded database in the data folder. */
  readonly databaseUrl: string | null
  /** Where the embedded database keeps its log for good, so that any moment can be gone back to. */
  readonly archiveFolder: string | null
  readonly isDemo: boolean
  /** Null: a key of its own in the data folder, made at the first start. */
  readonly secretKey: Buffer | null
  /** After how many days clients, payloads and webhook bodies are emptied; null: never. */
  readonly retentionDays: number | null
  readonly allowPrivateWebhooks: boolean
  readonly webhookPorts: ReadonlySet<number>
  readonly requestsPerMinute: number
  readonly poolSize: number
  /** How many serve; more than one share the port. */
  readonly processes: number
  readonly role: Role
  /** How long a process that is told to stop still serves, for a balancer to notice. */
  readonly drainMs: number
  /** How many proxies stand in front; each adds an address to X-Forwarded-For. */
  readonly trustedProxies: number
  readonly logLevel: string
}

/** What a process does: answer calls, work in the background, or both. */
export const ROLES = ['all', 'api', 'loops'] as const
export type Role = (typeof ROLES)[number]

export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`Florin cannot start with these settings:\n${problems.map((p) => `  - ${p}`).join('\n')}`)
    this.problems = problems
  }
}

const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']
const PROJECT_FOLDER = fileURLToPath(new URL('../../', import.meta.url))

/** Reads the settings and reports everything that is wrong with them at once. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = []
  const text = (name: (typeof SETTINGS)[number]) => env[name]?.trim() || null

  function choice<T extends string>(
    name: (typeof SETTINGS)[number],
    options: readonly T[],
  ): T | null {
    const value = text(name)
    if (value === null || (options as readonly string[]).includes(value)) return value as T | null
    problems.push(`${name} must be one of ${options.join(', ')}`)
    return null
  }
  function integer(
    name: (typeof SETTINGS)[number],
    otherwise: number,
    [min, max]: [number, number],
  ) {
    const value = text(name)
    if (value === null) return otherwise
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    problems.push(`${name} must be a whole number from ${min} to ${max}`)
    return otherwise
  }

  const host = text('HOST') ?? '127.0.0.1'
  const port = integer('PORT', 8080, [0, 65535])
  const databaseUrl = text('DATABASE_URL')
  if (databaseUrl !== null && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    problems.push('DATABASE_URL must begin with postgres:// or postgresql://')
  }
  const archive = text('FLORIN_ARCHIVE')
  if (archive !== null && databaseUrl !== null) {
    problems.push('FLORIN_ARCHIVE must be empty with DATABASE_URL: let that PostgreSQL archive')
  }
  const demo = choice('FLORIN_DEMO', ['0', '1'])
  const webhooks = choice('FLORIN_WEBHOOK_PRIVATE', ['allow', 'refuse'])
  const config: Config = {
    host,
    port,
    publicUrl: publicUrl(text('FLORIN_PUBLIC_URL') ?? `http://localhost:${port}`, problems),
    dataFolder: resolve(PROJECT_FOLDER, text('FLORIN_DATA') ?? '.florin'),
    databaseUrl,
    archiveFolder: archive && resolve(PROJECT_FOLDER, archive),
    isDemo: demo === null ? databaseUrl === null : demo === '1',
    secretKey: secretKey(text('FLORIN_SECRET_KEY'), problems),
    retentionDays: integer('FLORIN_RETENTION_DAYS', 0, [1, 36_500]) || null,
    // Only somebody's own machine may call itself.
    allowPrivateWebhooks: webhooks
      ? webhooks === 'allow'
      : databaseUrl === null && isLoopback(host),
    webhookPorts: ports(text('FLORIN_WEBHOOK_PORTS'), problems),
    requestsPerMinute: integer('FLORIN_RATE_LIMIT', 600_000, [1, 999_999_999]),
    poolSize: integer('FLORIN_POOL_SIZE', 10, [2, 500]),
    processes: integer('FLORIN_PROCESSES', 1, [1, 64]),
    role: choice('FLORIN_ROLE', ROLES) ?? 'all',
    // On the embedded database nobody else could serve instead.
    drainMs: integer('FLORIN_DRAIN_SECONDS', databaseUrl === null ? 0 : 5, [0, 300]) * 1000,
    trustedProxies: integer('FLORIN_TRUST_PROXY', 0, [0, 10]),
    logLevel: choice('FLORIN_LOG_LEVEL', LOG_LEVELS) ?? 'info',
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(config)
}

function publicUrl(value: string, problems: string[]): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    problems.push(
      'FLORIN_PUBLIC_URL must be an http or https address, such as https://pay.example.com',
    )
  }
  return withoutTrailingSlashes(value)
}

function secretKey(value: string | null, problems: string[]): Buffer | null {
  if (value === null) return null
  const key = Buffer.from(value, 'base64')
  if (key.length === 32) return key
  problems.push('FLORIN_SECRET_KEY must be 32 bytes in base64 (openssl rand -base64 32)')
  return null
}

/** The two of the web, and what else the operator lets webhooks go to. */
function ports(value: string | null, problems: string[]): ReadonlySet<number> {
  const more = value === null ? [] : value.split(',').map((part) => part.trim())
  const isPort = (part: string) =>
    /^\d{1,5}$/.test(part) && Number(part) >= 1 && Number(part) <= 65535
  if (!more.every(isPort))
    problems.push('FLORIN_WEBHOOK_PORTS must be a list of ports, such as 8443,9443')
  return new Set([80, 443, ...more.filter(isPort).map(Number)])
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
