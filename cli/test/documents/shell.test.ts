import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { runPage } from './shell.ts'

it('ends all commands of a page that takes too long', async () => {
  const block = { kind: 'sh', skip: null, stays: null }
  const blocks = [
    { ...block, line: 1, stays: 'process', text: 'echo "process $BASHPID"\nexec sleep 300\n' },
    { ...block, line: 2, text: 'bash -c \'echo "process $$"; exec sleep 300\'\n' },
  ]
  const env = { ...process.env, FREE_PORT: '0' }
  const { code, all } = await runPage(blocks, {
    cwd: tmpdir(),
    env,
    usesNpx: true,
    timeoutMs: 10_000,
  })
  expect(code).toBeNull()
  const pids = [...all.matchAll(/process (\d+)/g)].map((match) => match[1]!)
  expect(pids).toHaveLength(2)
  // A process that ended stays listed as a zombie until its parent reaps it.
  const { stdout } = await promisify(execFile)('ps', ['-e', '-o', 'pid=,stat='])
  const running = stdout.split('\n').filter((line) => /^\s*\d+\s+[^Z]/.test(line))
  const found = running.filter((line) => pids.includes(line.trim().split(/\s+/)[0]!))
  expect(found).toEqual([])
})
