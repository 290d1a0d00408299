import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, createReadStream, existsSync, openSync } from 'node:fs'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { createOutput } from '../../src/open.ts'

const LINES = 40_000
const LINE = `${'x'.repeat(1023)}\n`

it('keeps a limited number of lines that nobody reads, and reports how many it dropped', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-output-'))
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const pipe = await open(path, constants.O_RDWR | constants.O_NONBLOCK)
  try {
    const output = createOutput(pipe.fd)
    for (let n = 0; n < LINES; n++) output.write(LINE)
    let keptCount = 0
    for await (const line of createInterface(createReadStream(path))) {
      if (line.startsWith('x')) keptCount += 1
      else {
        expect(JSON.parse(line)).toMatchObject({ level: 40, dropped: LINES - keptCount })
        break
      }
    }
    expect(keptCount * LINE.length).toBeGreaterThan(15 * 1024 ** 2)
    expect(keptCount * LINE.length).toBeLessThan(17 * 1024 ** 2)
  } finally {
    await pipe.close()
    await rm(folder, { recursive: true })
  }
})

it.each([
  { seconds: 0.1, isRead: true },
  { seconds: 20, isRead: false },
])('at exit, waits for a reader, but not without end ($seconds seconds)', async (reader) => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-output-'))
  const [path, copy] = [join(folder, 'pipe'), join(folder, 'copy')]
  execFileSync('mkfifo', [path])
  const pipe = await open(path, constants.O_RDWR | constants.O_NONBLOCK)
  const script = `sleep ${reader.seconds}; exec cat "$0" > "$1"`
  const cat = spawn('sh', ['-c', script, path, copy], { detached: true, stdio: 'ignore' })
  const ended = once(cat, 'exit')
  try {
    const output = createOutput(pipe.fd)
    for (let n = 0; n < 1_000; n++) output.write(LINE)
    output.write('last\n')
    // Called when the process exits.
    output.flushSync()
    expect(existsSync(copy)).toBe(reader.isRead)
    if (!reader.isRead) return
    await expect.poll(async () => (await readFile(copy, 'utf8')).endsWith('\nlast\n')).toBe(true)
  } finally {
    process.kill(-cat.pid!, 'SIGKILL')
    await ended
    await pipe.close()
    await rm(folder, { recursive: true })
  }
})

it.skipIf(!existsSync('/dev/full'))(
  'writes the kept lines once a full disk has space again, even if the limit was reached',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'florin-output-'))
    const path = join(folder, 'log')
    // Every write to this device fails as on a full disk.
    const fd = openSync('/dev/full', 'w')
    try {
      const output = createOutput(fd)
      const failed = () => new Promise((resolve) => output.once('error', resolve))
      const first = failed()
      for (let n = 0; n < LINES; n++) output.write(LINE)
      await first
      closeSync(fd)
      expect(openSync(path, 'w')).toBe(fd)
      output.write(LINE)
      await expect
        .poll(async () => (await readFile(path, 'utf8')).includes('"dropped":'))
        .toBe(true)
      const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
      const { dropped } = JSON.parse(lines.pop()!)
      expect(lines.length + dropped).toBe(LINES + 1)
    } finally {
      closeSync(fd)
      await rm(folder, { recursive: true })
    }
  },
)
