import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The service as `npm start` starts it, with the demo store, in a folder and on a port of its own. */
export async function startDemo() {
  const folder = await mkdtemp(join(tmpdir(), 'florin-demo-'))
  const port = await freePort()
  const service = spawn(process.execPath, [join(root, 'scripts/start.mjs')], {
    env: { ...process.env, FLORIN_DATA: folder, PORT: String(port) },
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => service.on('exit', resolve))
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => null)
    if (answer?.status === 200) break
    if (service.exitCode !== null) throw new Error(`the service ended with ${service.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    folder,
    port,
    async stop(): Promise<void> {
      service.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type DemoService = Awaited<ReturnType<typeof startDemo>>

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}
