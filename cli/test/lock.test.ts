import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir, uptime } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'

const SCRIPT = new URL('../../scripts/lock.mjs', import.meta.url).href

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-lock-'))
  file = join(folder, 'lock')
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs `work` under the lock in a process of its own. */
function runLocked(work: string) {
  const code = `
    import { appendFileSync, existsSync } from 'node:fs'
    import { withLock } from '${SCRIPT}'
    const write = (line) => appendFileSync('steps', line + '\\n')
    const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    withLock('lock', () => { ${work} })`
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { cwd: folder })
}

const readSteps = async () => (await readFile(join(folder, 'steps'), 'utf8')).trim().split('\n')

it('lets one process work at a time, and says for which process another waits', async () => {
  const first = runLocked(`write('start'); while (!existsSync('go')) pause(); write('end')`)
  await expect.poll(() => existsSync(file)).toBe(true)
  const second = runLocked(`write('second')`)
  const waiting = new Promise<string>((resolve) => second.child.stderr!.once('data', resolve))
  expect(await waiting).toMatch(`Waiting: process ${first.child.pid} is`)
  await writeFile(join(folder, 'go'), '')
  await Promise.all([first, second])
  expect(await readSteps()).toEqual(['start', 'end', 'second'])
  expect(existsSync(file)).toBe(false)
})

it('releases the lock if the work fails or exits the process', async () => {
  await expect(runLocked(`throw new Error('no')`)).rejects.toThrow('no')
  await expect(runLocked('process.exit(3)')).rejects.toMatchObject({ code: 3 })
  expect(existsSync(file)).toBe(false)
})

it('ignores the lock of a process that was killed', async () => {
  const killed = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'])
  await writeFile(file, String(killed.pid))
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  await runLocked(`write('start')`)
  expect(await readSteps()).toEqual(['start'])
})

it('ignores an empty lock, which a full disk or a power failure leaves behind', async () => {
  await writeFile(file, '')
  const now = Date.now() / 1000
  await utimes(file, now, now - 3)
  await runLocked(`write('start')`)
  expect(await readSteps()).toEqual(['start'])
})

it('ignores a lock from before a restart of the machine, although another process has its id', async () => {
  await writeFile(file, String(process.pid))
  const now = Date.now() / 1000
  await utimes(file, now, now - uptime() - 60)
  await runLocked(`write('start')`)
  expect(await readSteps()).toEqual(['start'])
})

it('ignores a lock with its own process id, which a restarted container can find', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { writeFileSync } from 'node:fs'
       import { withLock } from '${SCRIPT}'
       writeFileSync('lock', String(process.pid))
       withLock('lock', () => console.log('start'))`,
    ],
    { cwd: folder },
  )
  expect(stdout).toBe('start\n')
})

it('lets one process work at a time if several find the lock of a killed process', async () => {
  await expect(runLocked(`process.kill(process.pid, 'SIGKILL')`)).rejects.toThrow()
  const work = `write('start'); pause(); write('end')`
  await Promise.all(Array.from({ length: 6 }, () => runLocked(work)))
  expect(await readSteps()).toEqual(Array.from({ length: 6 }, () => ['start', 'end']).flat())
  expect(await readdir(folder)).toEqual(['steps'])
})
