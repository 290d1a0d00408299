import cluster, { type Worker } from 'node:cluster'
import type { Registry } from 'prom-client'
import type { Config } from './config.ts'
import { SetupError } from './open.ts'
import { type Counts, connectSiblings, receiveCounts } from './platform/siblings.ts'
import { createWorkerMetrics, type Snapshot } from './workerMetrics.ts'

// One process uses one core. With several processes, a primary runs the embedded database, if there is one, and supervises
// workers. The workers share the port, the counts of the rate limits and the metrics. Otherwise they are as independent of each
// other as processes on different machines.

/** Whether a stopping process first drains: it keeps serving until load balancers have noticed. */
export type Stop = 'drain' | 'immediate'

type WorkerMessage =
  | { readonly florin: 'prepared' }
  | { readonly florin: 'stop'; readonly stop: Stop }
  | { readonly florin: 'failed'; readonly reason: string }
  | { readonly florin: 'metrics'; readonly id: number; readonly text?: string }
  | { readonly florin: 'collect' }
  | { readonly florin: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly florin: 'counts'; readonly counts: Counts }

const RESTART_PAUSE_MS = 1_000
/** How long the workers have after the drain to finish active requests. A slow download may take longer and is cut off. */
export const STOP_TIMEOUT_MS = 45_000

const isWorkerMessage = (message: unknown): message is WorkerMessage =>
  typeof message === 'object' && message !== null && 'florin' in message

const sendTo = (worker: Worker, message: WorkerMessage) => worker.send(message)

/** Starts the workers. Resolves when all of them listen. */
export async function startWorkers(
  config: Config,
  { env, print }: { env: Record<string, string>; print: (line: string) => void },
) {
  let isStopping = false
  let isPrepared = false
  let haveStarted = false
  const serving = new Set<Worker>()
  const metrics = createWorkerMetrics()
  const allWorkers = () =>
    Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

  function start(): Worker {
    const worker = cluster.fork(env)
    worker.on('message', (message: unknown) => {
      if (!isWorkerMessage(message)) return
      if (message.florin === 'metrics') void sendMetrics(worker, message.id)
      if (message.florin === 'snapshot' && !worker.isDead()) {
        metrics.receive(worker.id, message.snapshot)
      }
      if (message.florin === 'failed' && isPrepared) print(message.reason)
      if (message.florin === 'counts') passOn(message, worker)
    })
    // A message to a dying worker may fail. That is harmless.
    worker.on('error', () => {})
    worker.on('listening', () => {
      serving.add(worker)
      if (isPrepared) sendTo(worker, { florin: 'prepared' })
    })
    return worker
  }

  function passOn(message: WorkerMessage, from: Worker): void {
    for (const worker of allWorkers()) {
      if (worker !== from && worker.isConnected()) sendTo(worker, message)
    }
  }

  async function sendMetrics(worker: Worker, id: number): Promise<void> {
    const asked = [...serving]
      .filter((each) => each.isConnected())
      .map((each) => ({ id: each.id, ask: () => sendTo(each, { florin: 'collect' }) }))
    const text = await metrics.collect(asked).catch(() => '')
    if (worker.isConnected()) sendTo(worker, { florin: 'metrics', id, text })
  }

  async function stop(kind: Stop): Promise<void> {
    isStopping = true
    const exits = allWorkers().map(
      (worker) => new Promise((resolve) => worker.once('exit', resolve)),
    )
    for (const worker of allWorkers()) {
      if (worker.isConnected()) sendTo(worker, { florin: 'stop', stop: kind })
      else worker.process.kill('SIGTERM')
    }
    const drainMs = kind === 'drain' ? config.drainMs : 0
    const timeout = setTimeout(() => {
      for (const worker of allWorkers()) worker.process.kill('SIGKILL')
    }, drainMs + STOP_TIMEOUT_MS)
    await Promise.all(exits)
    clearTimeout(timeout)
  }

  cluster.on('exit', (worker, code, signal) => {
    metrics.forget(worker.id)
    // A worker that fails at the first start reports why. Don't restart it.
    const shouldRestart = serving.delete(worker) || haveStarted
    if (isStopping || !shouldRestart) return
    print(`Process ${worker.process.pid} has ended (${signal ?? code}). Starting another one.`)
    setTimeout(() => {
      if (!isStopping) start()
    }, RESTART_PAUSE_MS)
  })

  const workers = Array.from({ length: config.processes }, start)
  let port: number
  try {
    port = (await Promise.all(workers.map(untilListening)))[0]!
  } catch (error) {
    await stop('immediate')
    throw error
  }
  haveStarted = true
  return {
    port,
    /** Makes all workers ready, including those that start later. */
    markPrepared(): void {
      isPrepared = true
      for (const worker of allWorkers()) sendTo(worker, { florin: 'prepared' })
    },
    stop,
  }
}

/** Resolves with the port. Rejects if the worker fails to start. */
function untilListening(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.once('listening', ({ port }) => resolve(port))
    worker.on('message', (message: unknown) => {
      if (isWorkerMessage(message) && message.florin === 'failed') {
        reject(new SetupError(message.reason))
      }
    })
    worker.once('exit', (code, signal) => {
      reject(new SetupError(`A process ended while it started (${signal ?? code}).`))
    })
  })
}

const sendToPrimary = (message: WorkerMessage, onSent?: () => void) =>
  process.send!(message, undefined, undefined, onSent)

/** In a worker: reports why it fails, so that the primary can print it. */
export function reportFailure(reason: string): Promise<void> {
  return new Promise((resolve) => void sendToPrimary({ florin: 'failed', reason }, resolve))
}

/**
 * In a worker: connects to the primary. When the primary is gone, Node.js ends the worker. That is intended, because nothing
 * would restart it then.
 */
export function joinPrimary() {
  const waiting = new Map<number, (text: string) => void>()
  let lastId = 0
  let collect = async () => {}
  let markPrepared = () => {}
  let markStopped = (_stop: Stop) => {}
  const prepared = new Promise<void>((resolve) => {
    markPrepared = resolve
  })
  const stopped = new Promise<Stop>((resolve) => {
    markStopped = resolve
  })
  process.on('message', (message: unknown) => {
    if (!isWorkerMessage(message)) return
    if (message.florin === 'prepared') markPrepared()
    if (message.florin === 'stop') markStopped(message.stop)
    if (message.florin === 'counts') receiveCounts(message.counts)
    if (message.florin === 'collect') collect().catch(() => {})
    if (message.florin === 'metrics') {
      waiting.get(message.id)?.(message.text ?? '')
      waiting.delete(message.id)
    }
  })
  connectSiblings((counts) => {
    if (process.connected) sendToPrimary({ florin: 'counts', counts })
  })
  process.on('SIGTERM', () => markStopped('drain'))
  // A terminal sends Ctrl-C to every process. The primary handles it.
  process.on('SIGINT', () => {})
  return {
    prepared,
    stopped,
    /** Returns a function that gets the metrics of all workers from the primary, which adds them up. */
    metricsOf(registry: Registry): () => Promise<string> {
      collect = async () => {
        const snapshot = await registry.getMetricsAsJSON()
        if (process.connected) sendToPrimary({ florin: 'snapshot', snapshot })
      }
      return () =>
        new Promise((resolve) => {
          lastId += 1
          waiting.set(lastId, resolve)
          sendToPrimary({ florin: 'metrics', id: lastId })
        })
    },
  }
}
