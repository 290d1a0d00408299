import { showProgress } from './print.ts'

const BAR_LENGTH = 24
const LINE_INTERVAL_MS = 10_000

/** Shows the progress of an audit: a bar with the time left on a terminal, otherwise a line at most every ten seconds. */
export function createAuditProgress(nowMs: () => number = () => performance.now()) {
  const startedMs = nowMs()
  let lineMs = startedMs
  let state = ''
  let check = ''
  const show = () => showProgress(`${state}Checking: ${check}…`)
  return {
    onCheck(name: string): void {
      check = name
      show()
    },
    onProgress(done: number, total: number): void {
      const elapsedMs = nowMs() - startedMs
      const left = timeLeft((elapsedMs * (total - done)) / done)
      const percent = Math.floor((100 * done) / total)
      const length = Math.round((BAR_LENGTH * done) / total)
      state = `[${'#'.repeat(length).padEnd(BAR_LENGTH, '.')}] ${percent}%, ${left}. `
      show()
      if (process.stderr.isTTY || nowMs() - lineMs < LINE_INTERVAL_MS) return
      lineMs = nowMs()
      process.stderr.write(`${percent}% checked, ${left}\n`)
    },
    end: () => showProgress(''),
  }
}

function timeLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  return seconds < 90 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`
}
