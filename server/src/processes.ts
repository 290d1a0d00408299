import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Config } from './config.ts'
import { SetupError } from './open.ts'

// One process uses one core. With FLORIN_PROCESSES a first one looks after the database and after so
// many others, which share the port and are otherwise nodes like any on another machine.

/** Whether it goes on serving until balancers have noticed. */
export type Stop = 'drain' | 'at once'

type Word =
  | { readonly florin: 'prepared' }
  | { readonly florin: 'stop'; readonly stop: Stop }
  | { readonly florin: 'failed'; readonly words: string }
  | { readonly florin: 'metrics'; readonly number: number; readonly text?: string }

const AGAIN_MS = 1_000
/** Longer than a request may take; counted from when it listens no longer. */
export const STOP_MS = 45_000

const isWord = (message: unknown): message is Word =>
  typeof message === 'object' && message !== null && 'florin' in message

/** Starts the processes; the answer is there when all of them listen. */
export async function startWorkers(
  config: Config,
  { env, say }: { env: Record<string, string>; say: (line: string) => void },
) {
  let isStopping = false
  let isPrepared = false
  let haveStarted = false
  const serving = new Set<Worker>()
  const metrics = new AggregatorRegistry()

  function start(): Worker {
    const worker = cluster.fork(env)
    worker.on('message', (message: unknown) => {
      if (!isWord(message)) return
      if (message.florin === 'metrics') void tellMetrics(worker, message.number)
      if (message.florin === 'failed' && isPrepared) say(message.words)
    })
    // What is said to one that is just dying is lost, and no fault.
    worker.on('error', () => {})
    worker.on('listening', () => {
      serving.add(worker)
      if (isPrepared) worker.send({ florin: 'prepared' } satisfies Word)
    })
    return worker
  }
  async function tellMetrics(worker: Worker, number: number): Promise<void> {
    const text = await metrics.clusterMetrics().catch(() => '')
    if (worker.isConnected()) worker.send({ florin: 'metrics', number, text } satisfies Word)
  }

  cluster.on('exit', (worker, code, signal) => {
    // One that never came to listen at the first start says why, and nothing is tried again.
    const isMissed = serving.delete(worker) || haveStarted
    if (isStopping || !isMissed) return
    say(`Process ${worker.process.pid} has ended (${signal ?? code}). Another one is started.`)
    setTimeout(() => {
      if (!isStopping) start()
    }, AGAIN_MS)
  })
  const workers = Array.from({ length: config.processes }, start)
  const all = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  const stop = async (how: Stop) => {
    isStopping = true
    const gone = all().map((worker) => new Promise((resolve) => worker.once('exit', resolve)))
    for (const worker of all()) {
      if (worker.isConnected()) worker.send({ florin: 'stop', stop: how } satisfies Word)
      else worker.process.kill('SIGTERM')
    }
    const drainMs = how === 'drain' ? config.drainMs : 0
    const late = setTimeout(() => {
      for (const worker of all()) worker.process.kill('SIGKILL')
    }, drainMs + STOP_MS)
    await Promise.all(gone)
    clearTimeout(late)
  }
  const listening = workers.map(
    (worker) =>
      new Promise<number>((resolve, reject) => {
        worker.once('listening', ({ port }) => resolve(port))
        worker.on('message', (message: unknown) => {
          if (isWord(message) && message.florin === 'failed') reject(new SetupError(message.words))
        })
        worker.once('exit', (code, signal) => {
          reject(new SetupError(`A process ended while it started (${signal ?? code}).`))
        })
      }),
  )
  let port: number
  try {
    port = (await Promise.all(listening))[0]!
  } catch (error) {
    await stop('at once')
    throw error
  }
  haveStarted = true
  return {
    port,
    /** From here on they say that they are ready, also those that are started later. */
    markPrepared(): void {
      isPrepared = true
      for (const worker of all()) worker.send({ florin: 'prepared' } satisfies Word)
    },
    stop,
  }
}

/** In one of the processes, before it ends: the first one tells whoever started it. */
export function tellFailure(words: string): Promise<void> {
  return new Promise((resolve) => {
    process.send!({ florin: 'failed', words } satisfies Word, () => resolve())
  })
}

/**
 * In one of the processes: what the first one says, and the metrics of all. Node.js ends it when the first
 * one is gone, and with it whoever would start this one again.
 */
export function joinWorkers() {
  const waiting = new Map<number, (text: string) => void>()
  let asked = 0
  const prepared = new Promise<void>((resolve) => {
    process.on('message', (message: unknown) => {
      if (isWord(message) && message.florin === 'prepared') resolve()
    })
  })
  const stopped = new Promise<Stop>((resolve) => {
    process.on('message', (message: unknown) => {
      if (isWord(message) && message.florin === 'stop') resolve(message.stop)
    })
    process.on('SIGTERM', () => resolve('drain'))
  })
  // Ctrl-C reaches every process of a terminal; the first one decides.
  process.on('SIGINT', () => {})
  process.on('message', (message: unknown) => {
    if (!isWord(message) || message.florin !== 'metrics') return
    waiting.get(message.number)?.(message.text ?? '')
    waiting.delete(message.number)
  })
  return {
    prepared,
    stopped,
    /** The figures of all processes, added up. */
    metricsOf(registry: Registry): () => Promise<string> {
      new AggregatorRegistry()
      AggregatorRegistry.setRegistries([registry])
      return () =>
        new Promise((resolve) => {
          asked += 1
          waiting.set(asked, resolve)
          process.send!({ florin: 'metrics', number: asked } satisfies Word)
        })
    },
  }
}
