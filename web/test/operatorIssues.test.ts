import type { LedgerAudit, Minute } from '@florin/contract/platform.js'
import { createTranslate } from '@florin/shared/translate.js'
import { words } from '@florin/shared/words/operator/en.js'
import { describe, expect, it } from 'vitest'
import { findIssues, type SystemStatus } from '../src/operator/overview/issues.ts'

const MINUTE_MS = 60_000

const minutesAgo = (count: number) =>
  new Date(Date.now() - count * MINUTE_MS).toISOString().slice(0, 19).replace('T', ' ')

const findingsOf = (check: string, count: number) =>
  Array.from({ length: count }, () => ({ check }))

function audit(state: LedgerAudit['state'], found = findingsOf('a', 2)): LedgerAudit {
  const isFinished = state === 'sound' || state === 'unsound'
  const findings = state === 'unsound' ? found : []
  const finished_at = isFinished ? minutesAgo(1) : null
  return { state, started_at: minutesAgo(2), finished_at, findings } as LedgerAudit
}

const minute = (ago: number, faults_per_second: number) =>
  ({ at: minutesAgo(ago), faults_per_second }) as Minute

function textsOf({ audits = [audit('sound')], minutes = [] }: Partial<SystemStatus>): string[] {
  const nodes = [{ state: 'ready', forwarded_at: null }]
  const status = { nodes, minutes, audits, queue: [], failing_hosts: [] } as unknown as SystemStatus
  const translate = createTranslate<typeof words>('en', words)
  return findIssues(status, translate).map(({ text }) => text)
}

describe('errors in the ledger', () => {
  const FOUND = 'The ledger audit found 2 errors.'

  it.each(['running', 'interrupted'] as const)(
    'are still an issue if a new audit is %s',
    (state) => {
      expect(textsOf({ audits: [audit(state), audit('unsound')] })).toEqual([FOUND])
    },
  )

  it('are at least as many as were reported, if one check reported its maximum', () => {
    const textOf = (...found: ReturnType<typeof findingsOf>[]) =>
      textsOf({ audits: [audit('unsound', found.flat())] })
    const exact = ['The ledger audit found 101 errors.']
    expect(textOf(findingsOf('a', 99), findingsOf('b', 2))).toEqual(exact)
    const cutOff = ['The ledger audit found at least 102 errors.']
    expect(textOf(findingsOf('a', 100), findingsOf('b', 2))).toEqual(cutOff)
  })

  it('are no issue after an audit without errors', () => {
    expect(textsOf({ audits: [audit('unsound'), audit('sound')] })).toEqual([FOUND])
    expect(textsOf({ audits: [audit('sound'), audit('unsound')] })).toEqual([])
  })
})

it('an interrupted audit is an issue', () => {
  expect(textsOf({ audits: [audit('interrupted'), audit('sound')] })).toEqual([
    words.interruptedNote,
  ])
})

it('failed requests from before an outage are not those of the last five minutes', () => {
  const failed = 'Up to 30 requests per minute failed in the last five minutes.'
  expect(textsOf({ minutes: [minute(5, 0.5), minute(1, 0)] })).toEqual([failed])
  expect(textsOf({ minutes: [minute(20, 0.5), minute(1, 0)] })).toEqual([])
})
