import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { vi } from 'vitest'
import { runCommand } from '../src/runCommand.ts'
import { root } from './demo.ts'

export const program = join(root, 'cli/bin/florin.mjs')

export type Result = { code: number; stdout: string; stderr: string }

/** Runs the command as a user does, with these settings. */
export async function run(env: Record<string, string>, ...args: string[]): Promise<Result> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], {
      env: { ...process.env, ...env },
    })
    return { code: 0, stdout, stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as Result
    return { code, stdout, stderr }
  }
}

/**
 * Runs the command in this process, because starting Node.js and loading the service takes a second. One at a time: the
 * settings and the output belong to the process.
 */
export async function runHere(env: Record<string, string>, ...args: string[]): Promise<Result> {
  const exitCode = process.exitCode
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const written = ({ mock }: typeof stdout) => mock.calls.map(([text]) => text).join('')
  try {
    const code = await runCommand(args)
    return { code, stdout: written(stdout), stderr: written(stderr) }
  } finally {
    stdout.mockRestore()
    stderr.mockRestore()
    vi.unstubAllEnvs()
    process.exitCode = exitCode
  }
}

/** Runs a statement on the database at this address. */
export async function runSql(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** Settings that run a script in a command before it starts. */
const running = (script: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
})
export const HOUR_AHEAD = running('const { now } = Date; Date.now = () => now() + 3_600_000')

/** Then `fetch` fails with an AggregateError that has no message. */
export const TWO_ADDRESSES_OF_SHOP = running(`
  import dns from 'node:dns'
  const { lookup } = dns
  const found = [{ address: '127.0.0.1', family: 4 }, { address: '::1', family: 6 }]
  dns.lookup = (name, options, done) =>
    name === 'shop.localhost' ? done(null, found) : lookup(name, options, done)`)
