const WAITS_ON_WORKER =
  'it waits until a transaction waits for a lock, which it finds on the coordinator; on a cluster the wait is on a worker'

/** Tests of the suites that can't run on a cluster, each with the reason. */
export const EXCEPTIONS: readonly { readonly test: string; readonly reason: string }[] = [
  { test: 'sends the redacted body after waiting for an erasure', reason: WAITS_ON_WORKER },
  { test: 'sends nothing that was emptied while it waited for the lock', reason: WAITS_ON_WORKER },
]
