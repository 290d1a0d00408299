import { afterEach, expect, it, vi } from 'vitest'
import { createAuditProgress } from '../src/auditProgress.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Simulates an audit of 240 steps, two per second, and returns what its progress writes. */
function runAudit(isTerminal: boolean): string[] {
  const lines: string[] = []
  const { isTTY } = process.stderr
  process.stderr.isTTY = isTerminal
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(String(text))
    return true
  })
  let nowMs = 0
  const { onCheck, onProgress, end } = createAuditProgress(() => nowMs)
  onCheck('balances')
  for (let done = 1; done <= 240; done++) {
    nowMs += 500
    onProgress(done, 240)
  }
  end()
  process.stderr.isTTY = isTTY
  return lines
}

it('shows a bar and the time left on a terminal', () => {
  const lines = runAudit(true)
  expect(lines[0]).toContain('Checking: balances…')
  expect(lines).toContain(
    `\r\x1b[K[${'#'.repeat(6)}${'.'.repeat(18)}] 25%, 2 min left. Checking: balances…`,
  )
  expect(lines).toContain(`\r\x1b[K[${'#'.repeat(24)}] 100%, 0 s left. Checking: balances…`)
  expect(lines.at(-1)).toBe('\r\x1b[K')
})

it('writes a line every ten seconds without a terminal', () => {
  expect(runAudit(false)).toHaveLength(12)
  expect(runAudit(false).slice(0, 3)).toEqual([
    '8% checked, 2 min left\n',
    '16% checked, 2 min left\n',
    '25% checked, 2 min left\n',
  ])
})
