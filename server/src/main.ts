import cluster from 'node:cluster'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { setupCode } from './core/secrets.ts'
import {
  type Demo,
  demoSignInsOf,
  demoWalletOf,
  prepareDemo,
  readDemo,
  type StoredDemo,
} from './demo.ts'
import { describeAccess, findDemoAccess } from './demoAccess.ts'
import { startLoops } from './loops.ts'
import { createLog, createOutput, type OpenedService, open } from './open.ts'
import { loadPasskeyLibrary } from './ops/passkeys.ts'
import { joinPrimary, reportFailure, type Stop, startWorkers } from './processes.ts'
import type { Service } from './service.ts'
import { hasOperators } from './sql/operators.ts'
import { explainStartError } from './startErrors.ts'

const output = createOutput()
const print = (line: string) => void output.write(`${line}\n`)

async function main(): Promise<void> {
  const config = readConfig(process.env)
  if (cluster.isWorker) return runWorker(config)
  const stopped = untilSignal()
  const log = createLog(config.logLevel, output)
  const opened = await open(config, { log, print, upgrade: true, isService: true })
  try {
    if (config.processes === 1) await runAlone(opened, stopped)
    else await runPrimary(config, opened, stopped)
  } finally {
    await opened.close()
  }
  print('Florin has stopped.')
}

/** Serves requests and runs the loops until it is stopped. */
async function serve(
  { service, lost }: OpenedService,
  {
    prepare,
    untilStopped,
  }: {
    prepare: (port: number) => Promise<StoredDemo | null>
    untilStopped: () => Promise<Stop>
  },
): Promise<void> {
  const { host, port } = service.config
  lost.catch(() => service.beginStop())
  const app = await buildApp(service)
  setMaxConnections(app, service)
  try {
    // Before listening, because both block the event loop.
    await loadPasskeyLibrary()
    for (const path of ['/openapi.json', '/docs']) await app.inject(path)
    // Again after the preparation, but scrapes are possible before that.
    await service.metrics.forgetStart()
    // Listen before creating the demo data: if the port is in use, nothing must be created.
    await app.listen({ host, port })
    const demo = await prepare((app.server.address() as AddressInfo).port)
    await service.metrics.forgetStart()
    service.markPrepared(demo && demoWalletOf(demo), demo === null ? [] : demoSignInsOf(demo))
    const stopLoops = startLoops(service)
    const stop = await untilStopped()
    service.beginDrain()
    if (stop === 'drain') await sleep(service.config.drainMs)
    service.beginStop()
    await app.close()
    await stopLoops()
  } finally {
    await app.close()
  }
}

/** Creates the demo if it is on. Otherwise warns if credentials of an earlier demo still work. */
async function prepareDemoOrWarn(service: Service): Promise<Demo | null> {
  if (service.config.isDemo) return prepareDemo(service)
  const found = await findDemoAccess(service.database)
  if (found.length > 0) {
    service.log.warn(
      { found: describeAccess(found) },
      'The demo is off, but its credentials still work, and their secrets were written to demo.json. ' +
        'Revoke them: npx florin demo revoke',
    )
  }
  return null
}

/** Without a limit, idle clients could use up the file descriptors that the database and webhooks need. */
function setMaxConnections(app: FastifyInstance, { connections, log }: Service): void {
  app.server.maxConnections = connections.maxConnections
  if (!connections.isLow) return
  log.warn(
    { connections: connections.maxConnections, held: connections.maxHeld },
    'The open file limit is low, so fewer connections are accepted. Raise the limit: ulimit -n',
  )
}

async function runAlone(opened: OpenedService, stopped: Promise<NodeJS.Signals>): Promise<void> {
  let greeting = ''
  await serve(opened, {
    prepare: async (port) => {
      const demo = await prepareDemoOrWarn(opened.service)
      greeting = await welcomeText(opened.service, demo, port)
      return demo
    },
    untilStopped: async () => {
      print(greeting)
      return stopOf(await Promise.race([stopped, opened.lost]))
    },
  })
}

/** Supervises the workers. Serves no requests itself. */
async function runPrimary(
  config: Config,
  { service, databaseUrl, lost }: OpenedService,
  stopped: Promise<NodeJS.Signals>,
): Promise<void> {
  const workers = await startWorkers(config, {
    print,
    env: {
      DATABASE_URL: databaseUrl,
      // The primary archives the embedded database. DATABASE_URL and FLORIN_ARCHIVE exclude each other.
      FLORIN_ARCHIVE: '',
      FLORIN_SECRET_KEY: service.secretKey.toString('base64'),
      FLORIN_PEPPER: service.pepper.toString('base64'),
      FLORIN_DEMO: config.isDemo ? '1' : '0',
      // A worker with DATABASE_URL would compute another default, because no core is reserved for the database.
      FLORIN_PROCESSES: String(config.processes),
      FLORIN_DRAIN_SECONDS: String(config.drainMs / 1000),
      FLORIN_WEBHOOK_PRIVATE: config.allowPrivateWebhooks ? 'allow' : 'refuse',
    },
  })
  let stop: Stop = 'immediate'
  try {
    const demo = await prepareDemoOrWarn(service)
    workers.markPrepared()
    print(await welcomeText(service, demo, workers.port))
    stop = stopOf(await Promise.race([stopped, lost]))
  } finally {
    await workers.stop(stop)
  }
}

async function runWorker(config: Config): Promise<void> {
  const primary = joinPrimary()
  const log = createLog(config.logLevel, output)
  const opened = await open(config, { log, print, upgrade: false })
  const { metrics } = opened.service
  metrics.text = primary.metricsOf(metrics.registry)
  try {
    await serve(opened, {
      prepare: async () => {
        await Promise.race([primary.prepared, primary.stopped])
        return config.isDemo ? readDemo(config) : null
      },
      untilStopped: () => primary.stopped,
    })
  } finally {
    await opened.close()
  }
}

/** SIGINT stops immediately. SIGTERM drains first, because a supervisor sends it during a rollout. */
function stopOf(signal: NodeJS.Signals): Stop {
  print(`\n${signal}: finishing requests…`)
  return signal === 'SIGTERM' ? 'drain' : 'immediate'
}

/** A repeated signal ends the process without waiting for requests. */
function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve(signal)
        process.once(signal, () => process.exit(signal === 'SIGINT' ? 130 : 143))
      })
    }
  })
}

async function welcomeText(service: Service, demo: Demo | null, port: number): Promise<string> {
  const { publicUrl: url, dataFolder } = service.config
  if (demo === null) {
    const isSetUp = await hasOperators(service.database)
    return `
Florin is ready at ${url} (port ${port}). The API reference is at ${url}/docs
${isSetUp ? '' : setupNotice(url, setupCode(service.secretKey))}`
  }
  const { sandbox, cashier, merchant, operator } = demo
  return `
Florin is ready.

  ${url}/till       till of the demo store: ${cashier.email}, ${cashier.password}
  ${url}/dashboard  dashboard of its owner: ${merchant.email}, ${merchant.password}
  ${url}/wallet     wallet of a customer: no password needed
  ${url}/operator   operator console: ${operator.email}, ${operator.password}
  ${url}/docs       API reference

Create a payment of 12.50 USD in the sandbox:

  curl -s ${url}/merchant/payment/create \\
    -H 'api-key: ${sandbox.api_key}' \\
    -H 'api-secret: ${sandbox.api_secret}' \\
    -H 'content-type: application/json' \\
    -d '{"amount": 12.50, "currency": "USD"}'

All keys, passwords and wallets of the demo are in
  ${join(dataFolder, 'demo.json')}
Press Ctrl-C to stop.
`
}

/** Printed at every start until the first operator exists. */
const setupNotice = (url: string, code: string) => `
This service has no operator yet. Open ${url}/operator and create the first one with this code:

  ${code}

The code works once. Keep it secret until then.
`

main().then(
  () => process.exit(0),
  async (error: unknown) => {
    const reason = explainStartError(error, process.env)
    if (cluster.isWorker) await reportFailure(reason)
    else process.stderr.write(`${reason}\n`)
    process.exit(1)
  },
)
