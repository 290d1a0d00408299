/**
 * What is asked of every shard, and why that may be. Whatever else would be is refused: it costs the more, the more
 * machines there are.
 */
export const EVERYWHERE: Readonly<Record<string, string>> = {
  'payments.ts findOverdue':
    'the sweep of one process every two seconds, from where the last one ended',
  'deliveries.ts findDue': 'what is due is nobody’s in particular; one process looks at a time',
  'deliveries.ts readQueue':
    'counts for the operator and for /metrics, over a table that stays small',
  'deliveries.ts readFailingHosts': 'for the operator, over a table that stays small',
  'ledger.ts readPlatformBalances': 'for the operator: each shard adds up its own',
  'erasure.ts listErasedWithBalance': 'for the operator: each shard looks for its own',
  'wallets.ts listWallets': 'for the operator, a page at a time',
  'wallets.ts sweepFailures': 'deletes what is old, once a minute and in small steps',
  'walletSessions.ts sweepSessions': 'deletes what is old, once a minute and in small steps',
  'idempotency.ts sweep': 'deletes what is old, once a minute and in small steps',
  'ledgerChecks.ts runCheck': 'the audit: each machine checks its own rows',
  'ledgerChecks.ts compareSides': 'the audit: stores against wallets, over the coordinator',
  'ledgerChecks.ts count': 'the audit counts what it has read',
}
