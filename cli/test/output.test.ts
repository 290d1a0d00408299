import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { program } from './run.ts'

/** Runs the command with standard output on a full disk. */
async function runOnFullDisk(...args: string[]) {
  const fullDisk = await open('/dev/full', 'w')
  try {
    const child = spawn(process.execPath, [program, ...args], {
      stdio: ['ignore', fullDisk.fd, 'pipe'],
    })
    let stderr = ''
    child.stderr!.on('data', (chunk) => (stderr += chunk))
    const [code] = await once(child, 'close')
    return { code, stderr }
  } finally {
    await fullDisk.close()
  }
}

const MESSAGE =
  'Cannot write the output: ENOSPC: no space left on device, write. What the command has changed stays changed.'

it.skipIf(!existsSync('/dev/full'))(
  'says that the output cannot be written, and exits with 1',
  async () => {
    expect(await runOnFullDisk('completion', 'bash')).toEqual({ code: 1, stderr: `${MESSAGE}\n` })
    const { code, stderr } = await runOnFullDisk('doctor', '--webhook-url', 'x', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stderr)).toEqual({ message: MESSAGE, exit_code: 1 })
  },
)

it('keeps the exit code if nobody reads standard error', async () => {
  const child = spawn(process.execPath, [program, 'stores', 'lits'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  child.stderr!.destroy()
  expect(await once(child, 'exit')).toEqual([2, null])
})
