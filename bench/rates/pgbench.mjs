import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { validateCreate } from '../../server/dist/core/newPayment.js'
import { createPayments } from '../../server/dist/ops/createPayments.js'
import { mustBe } from '../lib/figures.mjs'
import { makeOrder } from '../lib/order.mjs'

const execute = promisify(execFile)
const SCRIPT = fileURLToPath(new URL('./pay.sql', import.meta.url))
const THREADS = 2
const BATCH_SIZE = 250

export const NOT_INSTALLED = 'pgbench is not installed. On Debian: apt install postgresql-15'

/** The path or name of pgbench, or null if it is not installed. */
export async function findPgbench() {
  for (const program of ['/usr/lib/postgresql/15/bin/pgbench', 'pgbench']) {
    if (program.startsWith('/') && !existsSync(program)) continue
    const canRun = await execute(program, ['--version']).then(
      () => true,
      () => false,
    )
    if (canRun) return program
  }
  return null
}

/** Splits the payments evenly among the clients, rounded up. */
export const sharesOf = (payments, clients) => {
  const each = Math.ceil(payments / clients)
  return { each, all: each * clients }
}

/** Creates pending payments with the service's own op, each with a number and a paying wallet. */
export async function prepareToPay(database, { count, stores, wallets }) {
  const noWebhooks = { bodyOf: () => '', choose: () => [], onCommit() {} }
  for (let from = 0; from < count; from += BATCH_SIZE) {
    const requests = Array.from({ length: Math.min(BATCH_SIZE, count - from) }, (_, index) => {
      const { store } = stores[(from + index) % stores.length]
      const terms = {
        store,
        rate: null,
        webhookRules: { allowPrivate: false, allowedPorts: new Set() },
      }
      const { payment } = validateCreate(makeOrder(from + index), terms, new Set())
      return { store, mode: 'live', payment, idempotencyKey: null, by: null, apiKey: null }
    })
    const results = await createPayments(database, noWebhooks, requests)
    mustBe(results.filter((result) => result.kind === 'created').length, requests.length, 'created')
  }
  await database.query(
    `create table if not exists bench_pay (
       number integer primary key, store_id integer, payment_id text collate "C", wallet_id integer)`,
  )
  await database.query('truncate bench_pay')
  // Numbers follow the order of creation, so that consecutive payments have different stores and wallets.
  await database.query(
    `insert into bench_pay
     select n, store_id, payment_id, ($1::int[])[1 + n % cardinality($1::int[])]
     from (
       select substr(reference_id, 7)::int as n, store_id, payment_id
       from payment
       where status = 'pending'
     ) p`,
    [wallets.map((wallet) => wallet.walletId)],
  )
  await database.query('vacuum analyze bench_pay, payment')
}

/** Pays the prepared payments with pgbench, and returns its rate. */
export async function payAll({ program, url }, { clients, each }) {
  const { hostname, port, username, password, pathname } = new URL(url)
  const { stdout } = await execute(
    program,
    [
      '--no-vacuum',
      '--protocol=prepared',
      '--file',
      SCRIPT,
      '--client',
      clients,
      '--jobs',
      THREADS,
      '--transactions',
      each,
      '-D',
      'done=0',
      '-D',
      `clients=${clients}`,
      '--host',
      hostname,
      '--port',
      port,
      '--username',
      username,
      pathname.slice(1),
    ].map(String),
    { env: { ...process.env, PGPASSWORD: decodeURIComponent(password) } },
  )
  const done = /actually processed: (\d+)/.exec(stdout)?.[1]
  mustBe(Number(done), clients * each, `transactions of pgbench\n${stdout}`)
  return Number(/tps = ([\d.]+) \(without/.exec(stdout)[1])
}
