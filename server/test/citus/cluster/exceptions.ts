const WAITS_ON_WORKER =
  'the test looks on the coordinator for a transaction that waits for a lock, but on a cluster it waits on a worker'

const REFUSED_CHANGE = 'the test changes the store or wallet of a row, which Citus refuses'

/** Tests of the suites that can't run on a cluster, each with the reason. */
export const EXCEPTIONS: readonly { readonly test: string; readonly reason: string }[] = [
  { test: 'a claim that waited for an erasure gets the redacted body', reason: WAITS_ON_WORKER },
  {
    test: 'a claim gets no event that was emptied while it waited for the lock',
    reason: WAITS_ON_WORKER,
  },
  {
    test: 'of two audits at once, one seals',
    reason: 'on a cluster the second audit is refused',
  },
  {
    test: 'an audit looks for open transactions before it takes its snapshot',
    reason: 'a cluster has no snapshot across its machines',
  },
  { test: "a payment's transfer: store", reason: REFUSED_CHANGE },
  { test: "an event's store", reason: REFUSED_CHANGE },
  { test: "the payer's side: wallet", reason: REFUSED_CHANGE },
  { test: "a withdrawal's wallet", reason: REFUSED_CHANGE },
  { test: "a payment moved to another store's books", reason: REFUSED_CHANGE },
]
