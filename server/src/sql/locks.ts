import type { StoreId, WalletNumber } from '../core/ids.ts'
import type { Queryable, Tx } from '../database/database.ts'

const WALLET = 1
const STORE = 2

/**
 * The first statement of everything that moves money or changes a payment: waits for all the wallets
 * and stores that are touched, always in the same order, so that no two transactions can wait for
 * each other. What is read afterwards stands still. Answers with the op's time.
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
 * Makes this transaction's COMMIT wait until everything that it has read is where COMMIT keeps things, on a
 * synchronous standby as well. A server that came back from a crash shows what never got there.
 */
export async function keepWhatWasRead(tx: Tx): Promise<void> {
  await tx.execute(`select pg_logical_emit_message(true, 'florin', '')`)
}

/** By which the server can be asked later what became of this transaction. */
export async function transactionId(tx: Tx): Promise<string> {
  const rows = await tx.query<{ id: string }>('select pg_current_xact_id()::text as id')
  return rows[0]!.id
}

/** For sure; false also while it is under way, or so long ago that nobody knows. */
export async function wasRolledBack(on: Queryable, id: string): Promise<boolean> {
  const rows = await on.query<{ is: boolean }>(
    `select pg_xact_status($1::xid8) is not distinct from 'aborted' as is`,
    [id],
  )
  return rows[0]!.is
}

const QUEUE = 3

/** Whoever looks for webhooks to send waits for whoever is looking. */
export async function lockQueue(tx: Tx): Promise<void> {
  await tx.execute('select pg_advisory_xact_lock($1, 0)', [QUEUE])
}

const LOOP = 4
const LOOPS = ['expiry', 'sweep', 'analysis', 'keys', 'retention'] as const
type Loop = (typeof LOOPS)[number]

/** Whether this transaction may run the named loop: one at a time is enough, two would contend. */
export async function tryLoopLock(tx: Tx, loop: Loop): Promise<boolean> {
  const rows = await tx.query<{ mine: boolean }>(
    'select pg_try_advisory_xact_lock($1, $2) as mine',
    [LOOP, LOOPS.indexOf(loop) + 1],
  )
  return rows[0]!.mine
}

const ACT = 6

/** Held by an operator's act until its end, so that whoever looks for its record looks afterwards. */
export async function lockAct(tx: Tx, actId: string): Promise<void> {
  await tx.execute('select pg_advisory_xact_lock($1, hashtext($2))', [ACT, actId])
}

const PERSON = 7

/** Held by whatever changes a person or lets one in, so that neither overtakes the other. */
export async function lockPerson(tx: Tx, personId: string): Promise<Date> {
  const rows = await tx.query<{ at: Date }>(
    'select pg_advisory_xact_lock($1, hashtext($2)), clock_timestamp() as at',
    [PERSON, personId],
  )
  return rows[0]!.at
}

/** Things of which there is one for the whole service, so that they are done one after the other. */
const ALONE = {
  /** Rates, so that each has a time of its own and knows the one before. */
  rates: 5,
  /** Who runs the service: the first operator is made once, and one is always left. */
  operators: 8,
  /** Proofs of the ledger: one runs at a time, whichever process it runs in. */
  ledgerAudits: 9,
}

export async function lockAlone(tx: Tx, what: keyof typeof ALONE): Promise<Date> {
  const rows = await tx.query<{ at: Date }>(
    'select pg_advisory_xact_lock($1, 0), clock_timestamp() as at',
    [ALONE[what]],
  )
  return rows[0]!.at
}

export async function databaseTime(on: Queryable): Promise<Date> {
  const rows = await on.query<{ at: Date }>('select clock_timestamp() as at')
  return rows[0]!.at
}

/** Which connection this is, for whoever may have to cut off what runs on it. */
export async function backendOf(tx: Tx): Promise<number> {
  const rows = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}

/** Its connection as well: a cancel would be lost on one that is between two statements. */
export async function endBackend(on: Queryable, pid: number): Promise<void> {
  await on.query('select pg_terminate_backend($1)', [pid])
}

/** For reads alone: what the server cancels must not be a COMMIT. */
export async function limitStatements(tx: Tx, ms: number): Promise<void> {
  await tx.query(`select set_config('statement_timeout', $1, true)`, [String(ms)])
}

/** Everything that this transaction reads is seen as of one moment, while the others go on. */
export async function freezeView(tx: Tx): Promise<void> {
  await tx.execute('set transaction isolation level repeatable read read only')
}
