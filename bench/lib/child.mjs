import { fork } from 'node:child_process'

/**
 * Runs a program in its own process, so that its CPU time counts separately. `call` calls the functions that it passed
 * to `serve`; `events` has a handler for each event that it sends.
 */
export async function startChild(file, settings, events = {}) {
  const child = fork(file, [JSON.stringify(settings)], { stdio: 'inherit' })
  const waiting = new Map()
  let lastCall = 0
  child.on('message', ({ call, value, error, event }) => {
    if (event !== undefined) return events[event]?.(value)
    const { resolve, reject } = waiting.get(call)
    waiting.delete(call)
    if (error === undefined) resolve(value)
    else reject(new Error(`${file}: ${error}`))
  })
  child.on('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`${file} ended: ${code ?? signal}`))
    waiting.clear()
  })
  const call = (name, argument) =>
    new Promise((resolve, reject) => {
      lastCall += 1
      waiting.set(lastCall, { resolve, reject })
      child.send({ call: lastCall, name, argument })
    })
  const value = await call('start')
  return {
    pid: child.pid,
    value,
    call,
    async stop() {
      if (child.exitCode !== null) return
      const exited = new Promise((resolve) => child.once('exit', resolve))
      const timeout = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await call('stop').catch(() => {})
      child.disconnect()
      await exited
      clearTimeout(timeout)
    },
  }
}

/** Serves `start(settings)`, `stop()` and other functions to the parent. Called in the child. */
export function serve(functions) {
  const settings = JSON.parse(process.argv[2])
  process.on('message', async ({ call, name, argument }) => {
    try {
      const value = await functions[name](name === 'start' ? settings : argument)
      process.send({ call, value })
    } catch (error) {
      process.send({ call, error: error.stack ?? String(error) })
    }
  })
  process.on('disconnect', () => process.exit(0))
}

export const sendEvent = (event, value) => process.send({ event, value })
