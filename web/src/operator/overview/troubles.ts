import type { Say } from '@florin/shared/say.js'
import type { OperatorWords } from '@florin/shared/words/operator/load.js'
import { parseTime } from '../../kit/time.ts'
import { isBehindProxy } from '../health/proxy.ts'
import type { PageName } from '../place.ts'
import type { LedgerAudit, Minute, Node, Queue } from '../types.ts'

export type Trouble = { readonly page: PageName; readonly isBad: boolean; readonly text: string }

export type Everything = { nodes: Node[]; minutes: Minute[]; audits: LedgerAudit[] } & Queue

const LATE_MS = 5 * 60_000
const OLD_MS = 7 * 86_400_000
/** Faults of longer ago are on the charts, and no longer news. */
const RECENT_MINUTES = 5

/** Everything that somebody should look at, the worst first. */
export function findTroubles(all: Everything, say: Say<OperatorWords>): Trouble[] {
  const troubles = [...ofLedger(all.audits[0], say), ...ofNodes(all, say), ...ofWebhooks(all, say)]
  return troubles.sort((a, b) => Number(b.isBad) - Number(a.isBad))
}

function ofLedger(audit: LedgerAudit | undefined, say: Say<OperatorWords>): Trouble[] {
  const trouble = (isBad: boolean, text: string) => [{ page: 'ledger', isBad, text } as const]
  if (audit === undefined) return trouble(false, say('ledgerNever'))
  const { state, findings, started_at: at } = audit
  if (state === 'unsound') return trouble(true, say('ledgerUnsound', { count: findings.length }))
  if (state === 'interrupted') return trouble(false, say('interruptedNote'))
  return Date.now() - parseTime(at).getTime() > OLD_MS ? trouble(false, say('ledgerOld')) : []
}

function ofNodes({ nodes, minutes }: Everything, say: Say<OperatorWords>): Trouble[] {
  const trouble = (text: string) => ({ page: 'health', isBad: true, text }) as const
  const troubles = nodes.flatMap(({ state, host, pid }) => {
    const name = `${host} ${pid}`
    if (state === 'ready') return []
    return [trouble(state === 'silent' ? say('nodeSilent', { name }) : say('nodeNot', { name }))]
  })
  if (nodes.length === 0) troubles.push(trouble(say('noNodes')))
  if (isBehindProxy(nodes)) troubles.push(trouble(say('proxyUntrusted')))
  const faults = minutes.slice(-RECENT_MINUTES).map((minute) => minute.faults_per_second)
  const perMinute = Math.ceil(Math.max(0, ...faults) * 60)
  if (perMinute > 0) troubles.push(trouble(say('faults', { count: perMinute })))
  return troubles
}

function ofWebhooks(
  { queue, failing_hosts: hosts }: Everything,
  say: Say<OperatorWords>,
): Trouble[] {
  const trouble = (isBad: boolean, text: string) => ({ page: 'webhooks', isBad, text }) as const
  const troubles: Trouble[] = []
  const isLate = queue.some(
    ({ oldest_due_at: at }) => at !== null && Date.now() - parseTime(at).getTime() > LATE_MS,
  )
  if (isLate) troubles.push(trouble(true, say('webhooksLate')))
  if (hosts.length > 0) troubles.push(trouble(false, say('hostsFail', { count: hosts.length })))
  const exhausted = queue.reduce((total, one) => total + one.exhausted, 0)
  if (exhausted > 0) troubles.push(trouble(false, say('webhooksGivenUp', { count: exhausted })))
  return troubles
}
