import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Florin } from '@florin/sdk'
import { freePort } from '../../server/test/setup/started.ts'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Starts the service like `npm start`, with the demo store, on its own port. `stop` also deletes the data folder, even a given one. */
export async function startDemo(givenFolder?: string) {
  const folder = givenFolder ?? (await mkdtemp(join(tmpdir(), 'florin-demo-')))
  const port = await freePort()
  const service = spawn(process.execPath, [join(root, 'scripts/start.mjs')], {
    env: { ...process.env, FLORIN_DATA: folder, PORT: String(port), FLORIN_PROCESSES: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  service.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const ended = new Promise((resolve) => service.on('exit', resolve))
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => null)
    if (response?.status === 200) break
    const result = service.exitCode ?? service.signalCode
    if (result !== null) throw new Error(`the service ended with ${result}: ${errors}`)
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

/** A client with the sandbox keys of the demo store. */
export async function sandboxShop({ folder }: DemoService): Promise<Florin> {
  const { base_url, sandbox } = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'))
  const { api_key: apiKey, api_secret: apiSecret } = sandbox
  return new Florin({ baseUrl: base_url, apiKey, apiSecret })
}
