import type { LedgerAudit, LedgerAuditList, Load, Nodes } from '@florin/contract/platform.js'
import type { WebhookQueue } from '@florin/contract/webhooks.js'
import type { Say } from '@florin/shared/say.js'
import type { OperatorWords } from '@florin/shared/words/operator/load.js'
import { parseTime } from '../../kit/time.ts'
import { isBehindProxy } from '../health/proxy.ts'
import type { PageName } from '../route.ts'

type Issue = { readonly page: PageName; readonly isSevere: boolean; readonly text: string }

export type SystemStatus = Nodes & Load & Pick<LedgerAuditList, 'audits'> & WebhookQueue

const OVERDUE_MS = 5 * 60_000
const MAX_AUDIT_AGE_MS = 7 * 86_400_000
/** Older faults are only on the charts. */
const RECENT_MINUTES = 5

/** The issues that need an operator, severe ones first. */
export function findIssues(all: SystemStatus, say: Say<OperatorWords>): Issue[] {
  const issues = [
    ...ledgerIssues(all.audits[0], say),
    ...nodeIssues(all, say),
    ...webhookIssues(all, say),
  ]
  return issues.sort((a, b) => Number(b.isSevere) - Number(a.isSevere))
}

function ledgerIssues(audit: LedgerAudit | undefined, say: Say<OperatorWords>): Issue[] {
  const issue = (isSevere: boolean, text: string) => [{ page: 'ledger', isSevere, text } as const]
  if (audit === undefined) return issue(false, say('ledgerNever'))
  const { state, findings, started_at: at } = audit
  if (state === 'unsound') return issue(true, say('ledgerUnsound', { count: findings.length }))
  if (state === 'interrupted') return issue(false, say('interruptedNote'))
  return Date.now() - parseTime(at).getTime() > MAX_AUDIT_AGE_MS
    ? issue(false, say('ledgerOld'))
    : []
}

function nodeIssues({ nodes, minutes }: SystemStatus, say: Say<OperatorWords>): Issue[] {
  const issue = (text: string) => ({ page: 'health', isSevere: true, text }) as const
  const issues = nodes.flatMap(({ state, host, pid }) => {
    const name = `${host} ${pid}`
    if (state === 'ready') return []
    return [issue(state === 'silent' ? say('nodeSilent', { name }) : say('nodeNotReady', { name }))]
  })
  if (nodes.length === 0) issues.push(issue(say('noNodes')))
  if (isBehindProxy(nodes)) issues.push(issue(say('proxyUntrusted')))
  const faults = minutes.slice(-RECENT_MINUTES).map((minute) => minute.faults_per_second)
  const perMinute = Math.ceil(Math.max(0, ...faults) * 60)
  if (perMinute > 0) issues.push(issue(say('faults', { count: perMinute })))
  return issues
}

function webhookIssues(
  { queue, failing_hosts: hosts }: SystemStatus,
  say: Say<OperatorWords>,
): Issue[] {
  const issue = (isSevere: boolean, text: string) => ({ page: 'webhooks', isSevere, text }) as const
  const issues: Issue[] = []
  const isLate = queue.some(
    ({ oldest_due_at: at }) => at !== null && Date.now() - parseTime(at).getTime() > OVERDUE_MS,
  )
  if (isLate) issues.push(issue(true, say('webhooksLate')))
  if (hosts.length > 0) issues.push(issue(false, say('hostsFailing', { count: hosts.length })))
  const exhausted = queue.reduce((total, one) => total + one.exhausted, 0)
  if (exhausted > 0) issues.push(issue(false, say('webhooksFailed', { count: exhausted })))
  return issues
}
