const WAITS_ON_WORKER =
  'it looks on the coordinator for a transaction that waits for a lock; on a cluster the transaction waits on a worker'

/** Tests of the suites that can't run on a cluster, each with the reason. */
export const EXCEPTIONS: readonly { readonly test: string; readonly reason: string }[] = [
  { test: 'sends the redacted body after waiting for an erasure', reason: WAITS_ON_WORKER },
  { test: 'sends nothing that was emptied while it waited for the lock', reason: WAITS_ON_WORKER },
]
