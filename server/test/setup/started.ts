import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url))

export type Started = { child: ChildProcess; output: () => string; exited: Promise<number | null> }

/** The service as `npm start` runs it, in one process unless the settings say otherwise. */
export const start = (env: Record<string, string>, stdout?: FileHandle): Started =>
  startProgram([script], { FLORIN_PROCESSES: '1', ...env }, undefined, stdout)

/** Runs one of our programs with Node.js, without the settings of this process. */
export function startProgram(
  args: readonly string[],
  env: Record<string, string>,
  cwd?: string,
  stdout?: FileHandle,
): Started {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', stdout?.fd ?? 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr!.on('data', (chunk) => (output += chunk))
  // After `exit`, the last output may not have been read yet.
  const exited = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
  return { child, output: () => output, exited }
}

/** Waits for a condition. A condition that throws counts as false. */
export async function until(condition: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const deadlineMs = Date.now() + timeoutMs
  while (!(await condition().catch(() => false))) {
    if (Date.now() > deadlineMs) throw new Error(`The condition was false for ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/**
 * A free port, below the ephemeral ports: a connection of another test could get one of those before the service listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

export const isReady = (port: number) => async () =>
  (await fetch(`http://127.0.0.1:${port}/ready`)).status === 200
