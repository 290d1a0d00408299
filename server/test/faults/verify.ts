import { openDatabase } from '../../src/database/database.ts'
import { auditLedger } from '../../src/ops/auditLedger.ts'
import type { KillableService } from './killable.ts'
import { isAtLeast, type LoadResult, type Sale } from './load.ts'

export type Verification = {
  /** Acknowledged writes that are missing or different in the database. */
  readonly lost: readonly string[]
  /** Orders with more payments than `maxPayments`. */
  readonly duplicated: readonly string[]
  /** Payments whose status differs from the acknowledged one. Expected only for requests in flight at the end. */
  readonly unacknowledged: number
  /** The findings of `florin audit`. */
  readonly findings: readonly string[]
}

type Row = {
  payment_id: string
  status: string
  request_amount: bigint
  reference_id: string
  wallet_id: number | null
}

/** After the load: compares every acknowledged write with the rows, and audits the ledger. */
export async function verifyWrites(
  databaseUrl: string,
  { sales }: LoadResult,
): Promise<Verification> {
  const database = openDatabase({ url: databaseUrl, poolSize: 2, poolTimeoutMs: 5_000 })
  try {
    const rows = await database.query<Row>(
      `select payment_id, status, request_amount, reference_id, wallet_id
       from payment
       where reference_id is not null`,
    )
    const byId = new Map(rows.map((row) => [row.payment_id, row]))
    const paymentCounts = new Map<string, number>()
    for (const { reference_id } of rows) {
      paymentCounts.set(reference_id, (paymentCounts.get(reference_id) ?? 0) + 1)
    }
    const acknowledged = sales.filter(({ paymentId }) => paymentId !== null)
    const lost = acknowledged.flatMap((sale) => missingOf(sale, byId.get(sale.paymentId!)))
    const duplicated = sales
      .filter((sale) => (paymentCounts.get(sale.reference) ?? 0) > sale.maxPayments)
      .map(({ reference }) => reference)
    const unacknowledged = sales.filter(
      (sale) => sale.paymentId !== null && byId.get(sale.paymentId)?.status !== sale.status,
    ).length
    const { checks } = await auditLedger(database)
    const findings = checks.flatMap((check) =>
      check.findings.map((finding) => `${check.name}: ${JSON.stringify(finding)}`),
    )
    return { lost, duplicated, unacknowledged, findings }
  } finally {
    await database.close()
  }
}

/** Verifies the writes in the embedded database of a service that has ended. */
export async function verifyEmbedded(
  service: KillableService,
  result: LoadResult,
): Promise<Verification> {
  const { url, stop } = await service.openDatabase()
  try {
    return await verifyWrites(url, result)
  } finally {
    await stop()
  }
}

/** One line for each write that the database does not have. */
function missingOf(sale: Sale, row: Row | undefined): string[] {
  const { paymentId, reference, status, walletId } = sale
  const name = `${paymentId} (${reference})`
  const isCreated =
    row !== undefined &&
    row.reference_id === reference &&
    row.request_amount === BigInt(sale.amountMinor)
  const isPaid = isAtLeast(row?.status, 'completed') && row?.wallet_id === walletId
  const isRefunded = isAtLeast(row?.status, 'refunded')
  return [
    ...(isCreated ? [] : [`${name}: the creation is missing`]),
    ...(isPaid || status === 'pending' ? [] : [`${name}: the payment is missing`]),
    ...(isRefunded || status !== 'refunded' ? [] : [`${name}: the refund is missing`]),
  ]
}
