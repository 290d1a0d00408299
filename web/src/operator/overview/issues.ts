import type {
  LedgerAudit,
  LedgerAuditList,
  Load,
  Minute,
  Nodes,
} from '@florin/contract/platform.js'
import type { WebhookQueue } from '@florin/contract/webhooks.js'
import type { Translate } from '@florin/shared/translate.js'
import type { OperatorWords } from '@florin/shared/words/operator/load.js'
import { parseTime } from '../../kit/time.ts'
import { isBehindUntrustedProxy } from '../health/proxy.ts'
import { isCutOff } from '../ledger/findings.ts'
import type { PageName } from '../route.ts'

type Issue = { readonly page: PageName; readonly isSevere: boolean; readonly text: string }

export type SystemStatus = Nodes & Load & Pick<LedgerAuditList, 'audits'> & WebhookQueue

const MINUTE_MS = 60_000
const OVERDUE_MS = 5 * MINUTE_MS
const MAX_AUDIT_AGE_MS = 7 * 86_400_000
/** Faults of earlier minutes are not an issue, but the charts show them. */
const RECENT_MINUTES = 5

/** The issues that need an operator, severe ones first. */
export function findIssues(status: SystemStatus, translate: Translate<OperatorWords>): Issue[] {
  const issues = [
    ...ledgerIssues(status.audits, translate),
    ...nodeIssues(status, translate),
    ...webhookIssues(status, translate),
  ]
  return issues.sort((a, b) => Number(b.isSevere) - Number(a.isSevere))
}

function ledgerIssues(
  audits: readonly LedgerAudit[],
  translate: Translate<OperatorWords>,
): Issue[] {
  const issue = (isSevere: boolean, text: string) => [{ page: 'ledger', isSevere, text } as const]
  const [latest] = audits
  if (latest === undefined) return issue(false, translate('ledgerNever'))
  // The errors of the last finished audit stay an issue until another audit finishes without errors.
  const finished = audits.find(({ finished_at: at }) => at !== null)
  if (finished?.state === 'unsound') {
    const key = isCutOff(finished) ? 'ledgerUnsoundAtLeast' : 'ledgerUnsound'
    return issue(true, translate(key, { count: finished.findings.length }))
  }
  if (latest.state === 'interrupted') return issue(false, translate('interruptedNote'))
  return Date.now() - parseTime(latest.started_at).getTime() > MAX_AUDIT_AGE_MS
    ? issue(false, translate('ledgerOld'))
    : []
}

function nodeIssues(
  { nodes, minutes }: SystemStatus,
  translate: Translate<OperatorWords>,
): Issue[] {
  const issue = (text: string) => ({ page: 'health', isSevere: true, text }) as const
  const issues = nodes.flatMap(({ state, host, pid }) => {
    const name = `${host} ${pid}`
    if (state === 'ready') return []
    return [
      issue(
        state === 'silent'
          ? translate('nodeSilent', { name })
          : translate('nodeNotReady', { name }),
      ),
    ]
  })
  if (nodes.length === 0) issues.push(issue(translate('noNodes')))
  if (isBehindUntrustedProxy(nodes)) issues.push(issue(translate('proxyUntrusted')))
  const perMinute = Math.ceil(Math.max(0, ...recentFaults(minutes)) * 60)
  if (perMinute > 0) issues.push(issue(translate('faults', { count: perMinute })))
  return issues
}

/** The faults per second of the last minutes. A minute that no process reported is missing in `minutes`. */
function recentFaults(minutes: readonly Minute[]): number[] {
  const startMsOf = ({ at }: Minute) => parseTime(at).getTime()
  const latest = minutes.at(-1)
  if (latest === undefined) return []
  const afterMs = startMsOf(latest) - RECENT_MINUTES * MINUTE_MS
  return minutes
    .filter((minute) => startMsOf(minute) > afterMs)
    .map((minute) => minute.faults_per_second)
}

function webhookIssues(
  { queue, failing_hosts: hosts }: SystemStatus,
  translate: Translate<OperatorWords>,
): Issue[] {
  const issue = (isSevere: boolean, text: string) => ({ page: 'webhooks', isSevere, text }) as const
  const issues: Issue[] = []
  const isLate = queue.some(
    ({ oldest_due_at: at }) => at !== null && Date.now() - parseTime(at).getTime() > OVERDUE_MS,
  )
  if (isLate) issues.push(issue(true, translate('webhooksLate')))
  if (hosts.length > 0)
    issues.push(issue(false, translate('hostsFailing', { count: hosts.length })))
  const exhausted = queue.reduce((total, { exhausted: count }) => total + count, 0)
  if (exhausted > 0) issues.push(issue(false, translate('webhooksFailed', { count: exhausted })))
  return issues
}
