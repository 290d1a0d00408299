import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withoutTrailingSlashes } from '@florin/shared/urls.js'
import { isLoopback, isLoopbackUrl } from './core/loopback.ts'
import { normalizeEmail } from './core/person.ts'
import { defaultProcesses, type Machine, thisMachine } from './platform/machine.ts'

/** All settings of the service, in the order of `.env.example`. */
export const SETTINGS = [
  'HOST',
  'PORT',
  'FLORIN_PUBLIC_URL',
  'FLORIN_DATA',
  'DATABASE_URL',
  'FLORIN_DEMO',
  'FLORIN_UNSAFE',
  'FLORIN_ARCHIVE',
  'FLORIN_SECRET_KEY',
  'FLORIN_PEPPER',
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
  'FLORIN_SMTP_URL',
  'FLORIN_MAIL_FROM',
  'FLORIN_WALLET_SIGNUP',
] as const

type Setting = (typeof SETTINGS)[number]

export type Config = {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  readonly dataFolder: string
  /** Null: use the embedded database in the data folder. */
  readonly databaseUrl: string | null
  /** Where the embedded database archives its write-ahead log, for point-in-time recovery. Null: no archive. */
  readonly archiveFolder: string | null
  readonly isDemo: boolean
  /** Null: use a key that the first start creates in the data folder. */
  readonly secretKey: Buffer | null
  /** Hashed with every PIN and activation code. Null: use one that the first start creates in the data folder. */
  readonly pepper: Buffer | null
  /**
   * After how many days clients, payloads, return URLs, bodies of events and responses of receivers are deleted. Null: never.
   */
  readonly retentionDays: number | null
  readonly allowPrivateWebhooks: boolean
  readonly webhookPorts: ReadonlySet<number>
  readonly requestsPerMinute: number
  readonly poolSize: number
  /** The number of processes that serve requests. They share the port. */
  readonly processes: number
  readonly role: ProcessRole
  /** How long a stopping process still serves, so that load balancers notice. */
  readonly drainMs: number
  /** The number of proxies in front. Each adds an address to X-Forwarded-For. */
  readonly trustedProxies: number
  readonly logLevel: string
  /** Null: no emails are sent. */
  readonly mail: { readonly smtpUrl: string; readonly from: string } | null
  /** Whether people can open a wallet themselves, with a code sent by email. */
  readonly walletSignup: 'off' | 'email'
}

/** What a process does: serve the API, run background loops, or both. */
const PROCESS_ROLES = ['all', 'api', 'loops'] as const
type ProcessRole = (typeof PROCESS_ROLES)[number]

export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      `Florin cannot start with these settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    )
    this.problems = problems
  }
}

const PERCENT_ENCODE =
  'Percent-encode special characters in the user and the password: %23 for #, %2F for /, %3F for ?, %40 for @'
const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']
const PROJECT_FOLDER = fileURLToPath(new URL('../../', import.meta.url))

/** Reads the settings. Reports all problems together. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  machine: Machine = thisMachine(),
): Config {
  const problems: string[] = []
  const readText = (name: Setting) => env[name]?.trim() || null

  function readChoice<T extends string>(name: Setting, options: readonly T[]): T | null {
    const value = readText(name)
    if (value === null || (options as readonly string[]).includes(value)) return value as T | null
    problems.push(`${name} must be one of ${options.join(', ')}`)
    return null
  }
  function readInteger(
    name: Setting,
    fallback: number,
    [min, max]: [number, number],
    alternative = '',
  ): number {
    const value = readText(name)
    if (value === null) return fallback
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    problems.push(`${name} must be a whole number from ${min} to ${max}${alternative}`)
    return fallback
  }

  function readKey(name: 'FLORIN_SECRET_KEY' | 'FLORIN_PEPPER'): Buffer | null {
    const value = readText(name)
    if (value === null) return null
    const bytes = Buffer.from(value, 'base64')
    if (bytes.length === 32) return bytes
    problems.push(`${name} must be 32 bytes in base64 (openssl rand -base64 32)`)
    return null
  }

  const host = readText('HOST') ?? '127.0.0.1'
  const port = readInteger('PORT', 8080, [0, 65535])
  const databaseUrl = readText('DATABASE_URL')
  if (databaseUrl !== null && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    problems.push('DATABASE_URL must begin with postgres:// or postgresql://')
  } else if (databaseUrl !== null && !isDatabaseUrl(databaseUrl)) {
    problems.push(
      `DATABASE_URL must look like postgres://user:password@db.example.com/florin. ${PERCENT_ENCODE}`,
    )
  } else if (databaseUrl !== null && !areEscapesUtf8(databaseUrl)) {
    problems.push(
      'DATABASE_URL must percent-encode characters as UTF-8: %C3%A9 for é, and %25 for %',
    )
  }
  const archive = readText('FLORIN_ARCHIVE')
  if (archive !== null && databaseUrl !== null) {
    problems.push(
      'FLORIN_ARCHIVE must be empty with DATABASE_URL: configure archiving in that PostgreSQL',
    )
  }
  const url = parsePublicUrl(readText('FLORIN_PUBLIC_URL') ?? `http://localhost:${port}`, problems)
  const isPublic = URL.canParse(url) && !isLoopbackUrl(url)
  // By default, only a developer's own machine gets the demo and may send webhooks to private addresses.
  const isOwnMachine = databaseUrl === null && isLoopback(host) && !isPublic
  const demo = readChoice('FLORIN_DEMO', ['0', '1'])
  const webhooks = readChoice('FLORIN_WEBHOOK_PRIVATE', ['allow', 'refuse'])
  const isUnsafe = readChoice('FLORIN_UNSAFE', ['0', '1']) === '1'
  if (isPublic && !isUnsafe && demo === '1') {
    problems.push(
      `FLORIN_DEMO must not be 1 with FLORIN_PUBLIC_URL=${url}: the demo's keys, PINs and passwords are not for a service that others can reach. Unset FLORIN_DEMO, or set FLORIN_UNSAFE=1 to allow it`,
    )
  }
  if (isPublic && !isUnsafe && webhooks === 'allow') {
    problems.push(
      `FLORIN_WEBHOOK_PRIVATE must not be allow with FLORIN_PUBLIC_URL=${url}: every merchant could read your internal HTTP services through webhooks. Unset FLORIN_WEBHOOK_PRIVATE, or set FLORIN_UNSAFE=1 to allow it`,
    )
  }
  const automaticProcesses = defaultProcesses(machine, databaseUrl === null)
  const processes =
    readText('FLORIN_PROCESSES') === 'auto'
      ? automaticProcesses
      : readInteger('FLORIN_PROCESSES', automaticProcesses, [1, 64], ', or auto')
  const config: Config = {
    host,
    port,
    publicUrl: url,
    dataFolder: resolve(PROJECT_FOLDER, readText('FLORIN_DATA') ?? '.florin'),
    databaseUrl,
    archiveFolder: archive && resolve(PROJECT_FOLDER, archive),
    isDemo: demo === null ? isOwnMachine : demo === '1',
    secretKey: readKey('FLORIN_SECRET_KEY'),
    pepper: readKey('FLORIN_PEPPER'),
    retentionDays: readInteger('FLORIN_RETENTION_DAYS', 0, [1, 36_500]) || null,
    allowPrivateWebhooks: webhooks === null ? isOwnMachine : webhooks === 'allow',
    webhookPorts: parsePorts(readText('FLORIN_WEBHOOK_PORTS'), problems),
    requestsPerMinute: readInteger('FLORIN_RATE_LIMIT', 600_000, [1, 999_999_999]),
    poolSize: readInteger('FLORIN_POOL_SIZE', defaultPoolSize(processes), [2, 500]),
    processes,
    role: readChoice('FLORIN_ROLE', PROCESS_ROLES) ?? 'all',
    // On the embedded database no other node could take over, so draining is pointless.
    drainMs: readInteger('FLORIN_DRAIN_SECONDS', databaseUrl === null ? 0 : 5, [0, 300]) * 1000,
    trustedProxies: readInteger('FLORIN_TRUST_PROXY', 0, [0, 10]),
    logLevel: readChoice('FLORIN_LOG_LEVEL', LOG_LEVELS) ?? 'info',
    mail: parseMail(readText('FLORIN_SMTP_URL'), readText('FLORIN_MAIL_FROM'), problems),
    walletSignup: readChoice('FLORIN_WALLET_SIGNUP', ['off', 'email']) ?? 'off',
  }
  if (config.walletSignup === 'email' && config.mail === null) {
    problems.push(
      'FLORIN_WALLET_SIGNUP must not be email without FLORIN_SMTP_URL: the codes are sent by email',
    )
  }
  // A container that keeps no files would generate another pepper at each start, and no PIN would work.
  if (config.secretKey !== null && config.pepper === null && readText('FLORIN_PEPPER') === null) {
    problems.push(
      'FLORIN_PEPPER must be set, because FLORIN_SECRET_KEY is set (openssl rand -base64 32). Keep both permanently',
    )
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(config)
}

/**
 * PostgreSQL allows 100 connections by default, and other programs need some. More than 30 processes need a higher limit: each
 * has at least two connections, and one for LISTEN.
 */
const defaultPoolSize = (processes: number) => Math.max(2, Math.min(10, Math.floor(64 / processes)))

/** Returns the URL as browsers write it. Links, webhooks and pages contain it. */
function parsePublicUrl(value: string, problems: string[]): string {
  const url = URL.canParse(value) ? new URL(value) : null
  // A user name or password would be in links and webhooks, where others see it.
  const hasUser = url !== null && (url.username !== '' || url.password !== '')
  if (url === null || !/^https?:$/.test(url.protocol) || hasUser || /[?#]/.test(value)) {
    problems.push(
      'FLORIN_PUBLIC_URL must be an http or https address without a user name, query or fragment, such as https://pay.example.com',
    )
    return value
  }
  return withoutTrailingSlashes(`${url.origin}${url.pathname}`)
}

function parseMail(
  smtpUrl: string | null,
  from: string | null,
  problems: string[],
): Config['mail'] {
  if (smtpUrl === null && from === null) return null
  if (smtpUrl === null || !/^smtps?:\/\//i.test(smtpUrl)) {
    problems.push('FLORIN_SMTP_URL must begin with smtp:// or smtps://')
  } else if (!isSmtpUrlComplete(smtpUrl)) {
    problems.push(
      `FLORIN_SMTP_URL must look like smtps://user:password@mail.example.com. ${PERCENT_ENCODE}`,
    )
  }
  if (from === null || normalizeEmail(from) === null) {
    problems.push('FLORIN_MAIL_FROM must be an email address, such as pay@example.com')
  }
  return { smtpUrl: smtpUrl ?? '', from: from ?? '' }
}

/**
 * Checks the URL and the port in its query. The driver also accepts an empty host after a user, such as
 * `postgres://user@/florin?host=/run/postgresql` for a Unix socket.
 */
function isDatabaseUrl(text: string): boolean {
  const url = text.replace(/@(?=\/[^@]*$)/, '@localhost')
  if (!URL.canParse(url)) return false
  const port = new URL(url).searchParams.get('port') ?? ''
  return /^\d{0,5}$/.test(port) && Number(port) <= 65_535
}

/** The driver throws on escapes that are not UTF-8, such as %E9. It takes a % that begins no escape literally. */
function areEscapesUtf8(text: string): boolean {
  try {
    for (const [escapes] of text.matchAll(/(?:%[\da-f]{2})+/gi)) decodeURIComponent(escapes)
    return true
  } catch {
    return false
  }
}

/** A /, ? or # in the password ends the host, and the rest of the URL, with the real host, is ignored. */
function isSmtpUrlComplete(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { hostname, pathname, search, hash } = new URL(text)
  return hostname !== '' && /^\/?$/.test(pathname) && !search.includes('@') && hash === ''
}

/** The ports 80 and 443, and those that the operator allows in addition. */
function parsePorts(value: string | null, problems: string[]): ReadonlySet<number> {
  const values = value === null ? [] : value.split(',').map((part) => part.trim())
  const isPort = (part: string) =>
    /^\d{1,5}$/.test(part) && Number(part) >= 1 && Number(part) <= 65535
  if (!values.every(isPort))
    problems.push('FLORIN_WEBHOOK_PORTS must be a list of ports, such as 8443,9443')
  return new Set([80, 443, ...values.filter(isPort).map(Number)])
}

/** The path under which a proxy serves Florin. Usually empty. */
export const basePathOf = ({ publicUrl }: Config) => new URL(publicUrl).pathname.replace(/\/$/, '')
