import type { StoreId, WalletNumber } from '../core/ids.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { WorkerUnavailable } from '../database/errors.ts'

const WALLET = 1
const STORE = 2

/**
 * Locks all wallets and stores that an op touches, always in the same order to prevent deadlocks. Every op that moves money
 * or changes a payment takes these locks before it reads the rows that it decides on. Rows read afterwards don't change.
 * Returns the time of the op.
 */
export async function lock(
  tx: Tx,
  touched: { stores?: Iterable<StoreId>; wallets?: Iterable<WalletNumber> },
): Promise<Date> {
  const wallets = [...new Set(touched.wallets ?? [])]
  const stores = [...new Set(touched.stores ?? [])]
  const rows = await tx.query<{ at: Date }>(
    `select clock_timestamp() as at, count(pg_advisory_xact_lock(s.class, s.id))
     from (
       select u.class, u.id
       from unnest($1::int[], $2::int[]) as u (class, id)
       order by 1, 2
     ) s`,
    [
      [...wallets.map(() => WALLET), ...stores.map(() => STORE)],
      [...wallets, ...stores],
    ],
  )
  return rows[0]!.at
}

/**
 * Makes this transaction's COMMIT wait until everything that it has read is durable, also on a synchronous standby.
 * After a crash a server may show rows that have not reached the standby.
 */
export async function makeReadsDurable(tx: Tx): Promise<void> {
  await tx.execute(`select pg_logical_emit_message(true, 'florin', '')`)
}

/** For `wasRolledBack`, after the connection is lost. */
export async function readTransactionId(tx: Tx): Promise<string> {
  const rows = await tx.query<{ id: string }>('select pg_current_xact_id()::text as id')
  return rows[0]!.id
}

/** True only if the rollback is certain. False also for a running transaction, or one that is too old to be known. */
export async function wasRolledBack(on: Queryable, id: string): Promise<boolean> {
  const rows = await on.query<{ isAborted: boolean }>(
    `select pg_xact_status($1::xid8) is not distinct from 'aborted' as "isAborted"`,
    [id],
  )
  return rows[0]!.isAborted
}

const QUEUE = 3

/** Held while deliveries are claimed: one process at a time. */
export async function lockDeliveryQueue(tx: Tx): Promise<void> {
  await tx.execute('select pg_advisory_xact_lock($1, 0)', [QUEUE])
}

const LOOP = 4
const LOOPS = [
  'expiry',
  'sweep',
  'analysis',
  'keys',
  'retention',
  'walletSessions',
  'totals',
  'ledgerSeals',
  'searchIndex',
] as const
export type Loop = (typeof LOOPS)[number]

/** Whether this transaction may run the loop, or seal or archive the ledger. Only one process at a time does. */
export async function tryLoopLock(tx: Tx, loop: Loop): Promise<boolean> {
  const rows = await tx.query<{ isGranted: boolean }>(
    'select pg_try_advisory_xact_lock($1, $2) as "isGranted"',
    [LOOP, LOOPS.indexOf(loop) + 1],
  )
  return rows[0]!.isGranted
}

const ACT = 6

/** Held by an audited transaction until its end, so that a lookup of its entry waits for it. */
export async function lockAct(tx: Tx, actId: string): Promise<void> {
  await tx.execute('select pg_advisory_xact_lock($1, hashtext($2))', [ACT, actId])
}

const ACCOUNT = 7

/** Serializes sign-ins and changes of a person or operator, of their tokens and of their approval requests. */
export async function lockAccount(tx: Tx, accountId: string): Promise<Date> {
  const rows = await tx.query<{ at: Date }>(
    'select pg_advisory_xact_lock($1, hashtext($2)), clock_timestamp() as at',
    [ACCOUNT, accountId],
  )
  return rows[0]!.at
}

const ADDRESS = 20

/** Serializes the transactions that email a code for a wallet to one address, so that these emails can be limited. */
export async function lockAddress(tx: Tx, email: string): Promise<Date> {
  const rows = await tx.query<{ at: Date }>(
    'select pg_advisory_xact_lock($1, hashtext(lower($2))), clock_timestamp() as at',
    [ADDRESS, email],
  )
  return rows[0]!.at
}

/** Locks of which there is one for the whole service. */
const GLOBAL_LOCKS = {
  /** Each rate has its own time and records the one before. */
  rates: 5,
  /** The first operator is created once, and one enabled admin always remains. */
  operators: 8,
  /** The operator console starts no ledger audit while another one runs. */
  ledgerAudits: 9,
  /** Each change of a limit records the one before. */
  approvalLimits: 16,
  /** Emails are claimed by one process at a time. */
  mail: 17,
  /** Entries of the audit log are sealed one after the other, and not while personal data is erased from them. */
  auditSeals: 18,
  /** Each change of a PIN limit records the one before. */
  pinLimits: 19,
}

export async function lockGlobal(tx: Tx, name: keyof typeof GLOBAL_LOCKS): Promise<Date> {
  const rows = await tx.query<{ at: Date }>(
    'select pg_advisory_xact_lock($1, 0), clock_timestamp() as at',
    [GLOBAL_LOCKS[name]],
  )
  return rows[0]!.at
}

export async function readDatabaseTime(on: Queryable): Promise<Date> {
  const rows = await on.query<{ at: Date }>('select clock_timestamp() as at')
  return rows[0]!.at
}

// A transaction that prepares itself is active first, so activity is read first.
const COMPLETE_UNTIL = `
  select least(now(),
    (select min(xact_start)
     from pg_stat_activity
     where backend_xid is not null and pid <> pg_backend_pid() and datname = current_database()),
    (select min(prepared) from pg_prepared_xacts where database = current_database()))`

/**
 * Later statements and snapshots see all rows that were written before the returned time. It is the start of this transaction, or
 * of an older one that may still commit: a COMMIT can wait for hours for a standby that is down. The time in a row may be a little
 * earlier than its write or PREPARE.
 */
export async function findCompleteUntil(tx: Tx): Promise<Date> {
  const [own] = await tx.query<{ at: Date }>(`${COMPLETE_UNTIL} as at`)
  if (!tx.isDistributed) return own!.at
  const workers = await tx.query<{ success: boolean; result: string }>(
    'select success, result from run_command_on_workers($1)',
    [`select extract(epoch from (${COMPLETE_UNTIL})) * 1000`],
  )
  const failed = workers.find(({ success }) => !success)
  if (failed !== undefined) throw new WorkerUnavailable(new Error(failed.result))
  return new Date(Math.min(own!.at.getTime(), ...workers.map(({ result }) => Number(result))))
}

/** The process id of this connection, for `terminateBackend`. */
export async function readBackendPid(tx: Tx): Promise<number> {
  const rows = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}

/** Ends the connection, because a cancel has no effect between two statements. */
export async function terminateBackend(on: Queryable, pid: number): Promise<void> {
  await on.query('select pg_terminate_backend($1::int)', [pid])
}

/** For reads only: the server must not cancel a COMMIT. */
export async function setStatementTimeout(tx: Tx, timeoutMs: number): Promise<void> {
  await tx.query(`select set_config('statement_timeout', $1, true)`, [String(timeoutMs)])
}

/** All reads of this transaction see one snapshot. */
export async function useSnapshot(tx: Tx): Promise<void> {
  await tx.execute('set transaction isolation level repeatable read read only')
}

/** Like `useSnapshot`, but the transaction may write. */
export async function useWritableSnapshot(tx: Tx): Promise<void> {
  await tx.execute('set transaction isolation level repeatable read')
}

/** Like `useWritableSnapshot`, but others may read the same snapshot. Returns its name. */
export async function shareSnapshot(tx: Tx): Promise<string> {
  await useWritableSnapshot(tx)
  const rows = await tx.query<{ name: string }>('select pg_export_snapshot() as name')
  return rows[0]!.name
}

/** All reads of this transaction see the snapshot that another one shares. */
export async function joinSnapshot(tx: Tx, name: string): Promise<void> {
  await useSnapshot(tx)
  await tx.execute(`set transaction snapshot '${name.replaceAll("'", "''")}'`)
}

/** For long queries over many rows. A transaction may be idle while others work on the same snapshot. */
export async function prepareForManyRows(tx: Tx): Promise<void> {
  await tx.query(
    `select set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
       set_config('plan_cache_mode', 'force_custom_plan', true),
       set_config('idle_in_transaction_session_timeout', '0', true)`,
  )
}
