import { execFileSync } from 'node:child_process'
import { constants, createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
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
    let kept = 0
    for await (const line of createInterface(createReadStream(path))) {
      if (line.startsWith('x')) kept += 1
      else {
        expect(JSON.parse(line)).toMatchObject({ level: 40, dropped: LINES - kept })
        break
      }
    }
    expect(kept * LINE.length).toBeGreaterThan(15 * 1024 ** 2)
    expect(kept * LINE.length).toBeLessThan(17 * 1024 ** 2)
  } finally {
    await pipe.close()
    await rm(folder, { recursive: true })
  }
})
