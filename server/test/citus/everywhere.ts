/**
 * The statements that may query every shard, with the reason. The test run fails on any other, because its cost grows
 * with the number of workers.
 */
export const EVERYWHERE: Readonly<Record<string, string>> = {
  'overdue.ts findOverdue':
    'the sweep of one process every two seconds, which continues where the last one ended; also quotes, previews of links, lists of expired payments and requests that reach a limit, each for one store',
  'deliveries.ts findDue': 'due deliveries may be on any shard; one process polls at a time',
  'deliveries.ts advanceDeliveries':
    'one process every minute; each shard finds its rows by an index, usually none',
  'deliveryQueue.ts readQueue':
    'counts for the operator and for /metrics, over a table that stays small',
  'deliveryQueue.ts readFailingHosts': 'for the operator, over a table that stays small',
  'ledger.ts readPlatformBalances': 'for the operator; each shard sums its own rows',
  'paymentTotals.ts sumPayments':
    'one process every minute, and the overview of the operators, whose result is cached for two seconds; each shard sums some minutes of its own rows',
  'paymentTotals.ts findRecentPayers':
    'one process every minute, and the overview of the operators, whose result is cached for two seconds; each shard reads some minutes of its own rows',
  'paymentTotals.ts countActiveStores': 'for the operator; each shard counts its own rows',
  'paymentTotals.ts countActiveWallets': 'for the operator; each shard counts its own rows',
  'search.ts findWalletsByWords':
    'for people of a store and operators who search for a payer; each shard uses its index, and finds a bounded number',
  'erasure.ts listErasedWithBalance': 'for the operator; each shard searches its own rows',
  'wallets.ts listWallets': 'for the operator, one page at a time',
  'sweeps.ts sweepTable': 'deletes old rows once a minute, in small steps',
  'ledgerChecks.ts runCheck': 'the audit: each shard checks its own rows',
  'ledgerChecks.ts countTransfers': 'the audit: counts the rows that it read',
  'ledgerChecks.ts readExtent': 'the audit: counts the payments that it reads',
  'paymentChecks.ts findSuspects': 'the audit: each shard checks its own rows',
  'eventChecks.ts findEventSuspects': 'the audit: each shard checks its own rows',
  'ledgerSides.ts compareSides': 'the audit: compares stores with wallets on the coordinator',
  'ledgerSeals.ts measureTransfers': 'the audit: each shard sums its own rows',
  'ledgerSeals.ts measurePayments': 'the audit: each shard sums its own rows',
  'ledgerSeals.ts measureWalletTransfers': 'the audit: each shard sums its own rows',
  'ledgerSeals.ts listStoreSeals': 'the audit: the sealed days of all stores',
  'ledgerSeals.ts measureStoreSeals': 'the audit: each shard sums its own seals',
  'ledgerSeals.ts hash': 'the audit: each shard sums its own seals and usage',
  'ledgerSeals.ts deleteSeals': 'an audit that replaces the seals',
  'sealedTotals.ts countWalletBalances': 'the audit: to seal wallets in parts',
  'sealedTotals.ts sumWallets': 'the audit: each shard sums the rows that are sealed',
  'sealedTotals.ts sumLinks': 'the audit: each shard sums the rows that are sealed',
  'sealedTotals.ts compareWalletSeals': 'the full audit: each shard compares its own rows',
  'sealedTotals.ts compareLinkSeals': 'the full audit: each shard compares its own rows',
  'archives.ts measure': 'the archive: counts and hashes the rows of a month',
  'archives.ts measureRemaining':
    'the audit: the rows of archived months that stay, found by their time',
  'archives.ts hash': 'the archive and the full audit: each shard sums its own rows',
  'archives.ts deleteArchived': 'the archive: deletes the rows of a month',
  'archivedSums.ts compareArchivedPayments': 'the full audit: each shard compares its own rows',
}
