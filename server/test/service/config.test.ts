import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig, SETTINGS } from '../../src/config.ts'
import { isLoopback, isLoopbackUrl } from '../../src/core/loopback.ts'

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))
const DATABASE_URL = 'postgres://florin@db.example.com/florin'

describe('settings', () => {
  it('all have defaults', () => {
    const config = readConfig({}, { cores: 2, memoryBytes: 8 * 1024 ** 3 })
    expect(config).toEqual({
      host: '127.0.0.1',
      port: 8080,
      publicUrl: 'http://localhost:8080',
      dataFolder: `${PROJECT}.florin`,
      databaseUrl: null,
      archiveFolder: null,
      isDemo: true,
      secretKey: null,
      pepper: null,
      retentionDays: null,
      allowPrivateWebhooks: true,
      requestsPerMinute: 600_000,
      poolSize: 10,
      processes: 1,
      role: 'all',
      drainMs: 0,
      trustedProxies: 0,
      webhookPorts: new Set([80, 443]),
      logLevel: 'info',
      mail: null,
      walletSignup: 'off',
    })
    expect(isAbsolute(config.dataFolder)).toBe(true)
  })

  it('are read from the environment, and empty ones count as unset', () => {
    const empty = Object.fromEntries(SETTINGS.map((name) => [name, '  ']))
    expect(readConfig(empty)).toEqual(readConfig({}))
    const [key, pepper] = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)]
    expect(
      readConfig({
        HOST: '0.0.0.0',
        PORT: '9000',
        FLORIN_PUBLIC_URL: 'https://pay.example.com//',
        FLORIN_DATA: '/var/lib/florin',
        DATABASE_URL: ` ${DATABASE_URL} `,
        FLORIN_DEMO: '1',
        FLORIN_UNSAFE: '1',
        FLORIN_SECRET_KEY: key.toString('base64'),
        FLORIN_PEPPER: pepper.toString('base64'),
        FLORIN_RETENTION_DAYS: '400',
        FLORIN_WEBHOOK_PRIVATE: 'allow',
        FLORIN_RATE_LIMIT: '60',
        FLORIN_POOL_SIZE: '50',
        FLORIN_PROCESSES: '4',
        FLORIN_ROLE: 'api',
        FLORIN_DRAIN_SECONDS: '7',
        FLORIN_TRUST_PROXY: '1',
        FLORIN_WEBHOOK_PORTS: '8443',
        FLORIN_LOG_LEVEL: 'debug',
        FLORIN_SMTP_URL: 'smtps://user:secret@mail.example.com',
        FLORIN_MAIL_FROM: 'pay@example.com',
        FLORIN_WALLET_SIGNUP: 'email',
      }),
    ).toEqual({
      host: '0.0.0.0',
      port: 9000,
      publicUrl: 'https://pay.example.com',
      dataFolder: '/var/lib/florin',
      databaseUrl: DATABASE_URL,
      archiveFolder: null,
      isDemo: true,
      secretKey: key,
      pepper,
      retentionDays: 400,
      allowPrivateWebhooks: true,
      requestsPerMinute: 60,
      poolSize: 50,
      processes: 4,
      role: 'api',
      drainMs: 7_000,
      trustedProxies: 1,
      webhookPorts: new Set([80, 443, 8443]),
      logLevel: 'debug',
      mail: { smtpUrl: 'smtps://user:secret@mail.example.com', from: 'pay@example.com' },
      walletSignup: 'email',
    })
  })

  it('resolve the archive folder relative to the project', () => {
    expect(readConfig({ FLORIN_ARCHIVE: 'log' }).archiveFolder).toBe(`${PROJECT}log`)
    expect(readConfig({ FLORIN_ARCHIVE: '/mnt/log' }).archiveFolder).toBe('/mnt/log')
  })

  it('let a node drain by default if another one could take over', () => {
    expect(readConfig({ DATABASE_URL }).drainMs).toBe(5_000)
  })

  it('are frozen, and the default URL contains the port', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true)
    expect(readConfig({ PORT: '81' }).publicUrl).toBe('http://localhost:81')
  })

  it.each([
    ['HTTPS://Pay.Example.COM:443/', 'https://pay.example.com'],
    ['https://pay.example.com:8443/tea house/', 'https://pay.example.com:8443/tea%20house'],
    ['https://tée.example', 'https://xn--te-bja.example'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
  ])('write the URL %s as %s', (FLORIN_PUBLIC_URL, publicUrl) => {
    expect(readConfig({ FLORIN_PUBLIC_URL }).publicUrl).toBe(publicUrl)
  })

  it('report all problems together, by name', () => {
    const wrong = {
      PORT: '65536',
      FLORIN_PUBLIC_URL: 'pay.example.com',
      DATABASE_URL: 'mysql://x',
      FLORIN_DEMO: 'yes',
      FLORIN_UNSAFE: 'yes',
      FLORIN_ARCHIVE: 'archive',
      FLORIN_SECRET_KEY: 'short',
      FLORIN_PEPPER: 'short',
      FLORIN_RETENTION_DAYS: '0',
      FLORIN_WEBHOOK_PRIVATE: 'maybe',
      FLORIN_RATE_LIMIT: '0',
      FLORIN_POOL_SIZE: '1',
      FLORIN_TRUST_PROXY: 'true',
      FLORIN_LOG_LEVEL: 'loud',
    }
    const read = () => readConfig(wrong)
    expect(read).toThrow(ConfigError)
    try {
      read()
    } catch (error) {
      const lines = (error as Error).message.split('\n').slice(1)
      expect(lines).toHaveLength(Object.keys(wrong).length)
      for (const name of Object.keys(wrong)) {
        expect(lines.filter((line) => line.startsWith(`  - ${name} must `))).toHaveLength(1)
      }
    }
  })

  it.each([
    ['PORT', ['-1', '65536', '80.5', '0x50', 'eighty', '1e3', '99999999999']],
    ['FLORIN_PUBLIC_URL', ['ftp://x', 'x', 'https://x?a=1', 'https://x#a', 'javascript:1']],
    ['FLORIN_PUBLIC_URL', ['https://x?', 'https://alice:secret@x', 'https://alice@x']],
    ['DATABASE_URL', ['http://x', 'florin', 'postgres:/x']],
    ['FLORIN_DEMO', ['2', 'true', 'on']],
    ['FLORIN_UNSAFE', ['2', 'true', 'yes']],
    [
      'FLORIN_SECRET_KEY',
      ['x', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64')],
    ],
    ['FLORIN_PEPPER', ['x', Buffer.alloc(31).toString('base64')]],
    ['FLORIN_WEBHOOK_PRIVATE', ['1', 'ALLOW', 'deny']],
    ['FLORIN_RATE_LIMIT', ['0', '-1', '1.5', '9999999999']],
    ['FLORIN_POOL_SIZE', ['1', '501', 'x']],
    ['FLORIN_PROCESSES', ['0', '65', 'x']],
    ['FLORIN_ROLE', ['API', 'both']],
    ['FLORIN_TRUST_PROXY', ['11', 'yes']],
    ['FLORIN_WEBHOOK_PORTS', ['0', 'x', '80;81', '99999']],
    ['FLORIN_LOG_LEVEL', ['INFO', 'verbose']],
    ['FLORIN_WALLET_SIGNUP', ['on', '1', 'email']],
    ['FLORIN_SMTP_URL', ['mail.example.com', 'http://mail.example.com', 'smtp:mail.example.com']],
  ])('%s refuses %j', (name, values) => {
    for (const value of values) {
      expect(() => readConfig({ [name]: value })).toThrow(`${name} must`)
    }
  })

  it.each([
    ['the embedded', { cores: 8, memoryBytes: 16 * 1024 ** 3 }, {}, [7, 9]],
    ['the embedded', { cores: 1, memoryBytes: 16 * 1024 ** 3 }, {}, [1, 10]],
    ['another', { cores: 8, memoryBytes: 16 * 1024 ** 3 }, { DATABASE_URL }, [8, 8]],
    ['another', { cores: 8, memoryBytes: 1024 ** 3 }, { DATABASE_URL }, [2, 10]],
    ['another', { cores: 256, memoryBytes: 1024 ** 4 }, { DATABASE_URL }, [24, 2]],
  ])(
    'choose the number of processes and connections for %s database on %j',
    (_, machine, env, expected) => {
      for (const extra of [{}, { FLORIN_PROCESSES: 'auto' }]) {
        const { processes, poolSize } = readConfig({ ...env, ...extra }, machine)
        expect([processes, poolSize]).toEqual(expected)
      }
      expect(readConfig({ ...env, FLORIN_PROCESSES: '3' }, machine).processes).toBe(3)
    },
  )

  it('report every value that FLORIN_PROCESSES can have', () => {
    expect(() => readConfig({ FLORIN_PROCESSES: 'all' })).toThrow(
      'FLORIN_PROCESSES must be a whole number from 1 to 64, or auto',
    )
  })

  it.each(['/', '?', '#'])('report an SMTP password with an unescaped %s', (character) => {
    for (const password of [`12${character}45`, `p${character}w`, `p@s${character}w`]) {
      const read = (encoded: string) =>
        readConfig({
          FLORIN_SMTP_URL: `smtp://user:${encoded}@mail.example.com`,
          FLORIN_MAIL_FROM: 'pay@example.com',
        })
      expect(() => read(password)).toThrow(/FLORIN_SMTP_URL must look like .* Percent-encode/)
      expect(() => read(password)).not.toThrow(password)
      expect(() => read(encodeURIComponent(password))).not.toThrow()
    }
  })

  it.each(['/', '?', '#', '@/'])('report a database password with an unescaped %s', (character) => {
    const read = (password: string) =>
      readConfig({ DATABASE_URL: `postgres://user:${password}@db.example.com/florin` })
    expect(() => read(`p${character}w`)).toThrow(/DATABASE_URL must look like .* Percent-encode/)
    expect(() => read(`p${character}w`)).not.toThrow(`p${character}w`)
    expect(() => read(encodeURIComponent(`p${character}w`))).not.toThrow()
  })

  it('report a database URL that the driver cannot use', () => {
    const read = (DATABASE_URL: string) => readConfig({ DATABASE_URL }).databaseUrl!
    expect(() => read('postgres://u:caf%E9@db.example.com/x')).toThrow('characters as UTF-8')
    expect(() => read('postgres://u@db.example.com/x?port=abc')).toThrow('must look like')
    const passwordOf = (text: string) => new pg.Client(read(`postgres://u:${text}@h/x`)).password
    expect(['caf%C3%A9', '100%'].map(passwordOf)).toEqual(['café', '100%'])
  })

  it.each([
    'postgres://user:pw@/florin?host=/run/postgresql',
    'postgresql:///florin?host=/run/postgresql',
    'postgres://user:pw@%2Frun%2Fpostgresql/florin',
  ])('accept the Unix socket of the database in %s', (DATABASE_URL) => {
    expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
    expect(new pg.Client(DATABASE_URL).host).toBe('/run/postgresql')
  })

  it.each(['smtps://mail.example.com/', 'smtp://u:p@ss@mail.example.com', 'smtp://[::1]?name=a.b'])(
    'accept the mail server %s',
    (FLORIN_SMTP_URL) => {
      const FLORIN_MAIL_FROM = 'pay@example.com'
      expect(readConfig({ FLORIN_SMTP_URL, FLORIN_MAIL_FROM }).mail).not.toBeNull()
    },
  )

  it('must have a pepper if they have a secret key', () => {
    const key = Buffer.alloc(32, 7).toString('base64')
    expect(() => readConfig({ FLORIN_SECRET_KEY: key })).toThrow('FLORIN_PEPPER must be set')
    expect(() => readConfig({ FLORIN_PEPPER: key })).not.toThrow()
  })

  it('are not repeated in an error message if they are secret', () => {
    const secrets = {
      FLORIN_SECRET_KEY: 'almost-a-key',
      DATABASE_URL: 'postgress://florin:hunter2@db/florin',
    }
    for (const [name, value] of Object.entries(secrets)) {
      const read = () => readConfig({ [name]: value })
      expect(read).toThrow(`${name} must`)
      expect(read).not.toThrow(/almost-a-key|hunter2/)
    }
  })
})

const FLORIN_PUBLIC_URL = 'https://pay.example.com'

describe('settings that depend on others', () => {
  it.each<[Record<string, string>, boolean]>([
    [{}, true],
    [{ FLORIN_PUBLIC_URL: 'http://shop.localhost:8080' }, true],
    // The embedded database behind a proxy, as docs/production.md describes it.
    [{ FLORIN_PUBLIC_URL, FLORIN_TRUST_PROXY: '1' }, false],
    [{ FLORIN_PUBLIC_URL: 'http://192.168.0.5:8080' }, false],
    [{ FLORIN_PUBLIC_URL, FLORIN_WEBHOOK_PRIVATE: 'allow', FLORIN_UNSAFE: '1' }, true],
    [{ FLORIN_PUBLIC_URL, FLORIN_UNSAFE: '1' }, false],
    [{ HOST: 'localhost' }, true],
    [{ HOST: '::1' }, true],
    [{ HOST: '127.0.0.53' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '::' }, false],
    [{ HOST: '192.168.0.5' }, false],
    [{ HOST: '127.example.com' }, false],
    [{ DATABASE_URL }, false],
    [{ DATABASE_URL, HOST: 'localhost' }, false],
    [{ DATABASE_URL, FLORIN_WEBHOOK_PRIVATE: 'allow' }, true],
    [{ HOST: '0.0.0.0', FLORIN_WEBHOOK_PRIVATE: 'allow' }, true],
    [{ FLORIN_WEBHOOK_PRIVATE: 'refuse' }, false],
  ])('allow webhooks to private addresses with %j: %s', (env, isAllowed) => {
    expect(readConfig(env).allowPrivateWebhooks).toBe(isAllowed)
  })

  it.each<[Record<string, string>, boolean]>([
    [{}, true],
    [{ DATABASE_URL }, false],
    [{ DATABASE_URL, FLORIN_DEMO: '1' }, true],
    [{ FLORIN_DEMO: '0' }, false],
    [{ FLORIN_PUBLIC_URL }, false],
    [{ FLORIN_PUBLIC_URL, FLORIN_UNSAFE: '1' }, false],
    [{ FLORIN_PUBLIC_URL, FLORIN_DEMO: '1', FLORIN_UNSAFE: '1' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '0.0.0.0', FLORIN_DEMO: '1' }, true],
    [{ HOST: '::1', FLORIN_PUBLIC_URL: 'http://[::1]:8080' }, true],
  ])('create demo data with %j: %s', (env, isDemo) => {
    expect(readConfig(env).isDemo).toBe(isDemo)
  })

  it('refuse the demo and private webhooks with a public URL, and say what to do', () => {
    const env = { FLORIN_PUBLIC_URL, FLORIN_DEMO: '1', FLORIN_WEBHOOK_PRIVATE: 'allow' }
    for (const name of ['FLORIN_DEMO', 'FLORIN_WEBHOOK_PRIVATE'] as const) {
      const unsafe = { FLORIN_PUBLIC_URL, [name]: env[name] }
      const expected = new RegExp(`${name} must not be .* Unset ${name}, or set FLORIN_UNSAFE=1`)
      for (const extra of [{}, { DATABASE_URL }, { HOST: '0.0.0.0' }, { FLORIN_UNSAFE: '0' }])
        expect(() => readConfig({ ...unsafe, ...extra })).toThrow(expected)
    }
    expect(() => readConfig(env)).toThrow(/FLORIN_DEMO must(.|\n)*FLORIN_WEBHOOK_PRIVATE must/)
    expect(readConfig({ ...env, FLORIN_UNSAFE: '1' })).toMatchObject({
      isDemo: true,
      allowPrivateWebhooks: true,
    })
  })

  it.each([
    ['http://localhost:8080', true],
    ['http://LOCALHOST.', true],
    ['https://shop.localhost/pay', true],
    ['http://127.0.0.1', true],
    ['http://127.200.3.4:81', true],
    ['http://127.1', true],
    ['http://[::1]:8080', true],
    ['http://0.0.0.0', false],
    ['http://[::]', false],
    ['http://10.0.0.1', false],
    ['http://192.168.0.5', false],
    ['http://[fd00::1]', false],
    ['https://pay.example.com', false],
    ['http://127.0.0.1.example.com', false],
    ['http://notlocalhost', false],
    ['http://localhost.example.com', false],
  ])('only this machine can open %s: %s', (url, isLocal) =>
    expect(isLoopbackUrl(url)).toBe(isLocal),
  )

  it.each([
    ['localhost', true],
    ['127.0.0.1', true],
    ['::1', true],
    ['10.0.0.1', false],
    ['', false],
  ])('%s is loopback: %s', (host, expected) => expect(isLoopback(host)).toBe(expected))
})
