import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportLines } from '../../../src/ops/books.ts'
import { invalid } from '../../setup/expected.ts'
import { newLink, payLink } from '../../setup/links.ts'
import { createPaidPayment, refund, setRate } from '../../setup/merchantCalls.ts'
import { createPerson } from '../../setup/people.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestStore,
} from '../../setup/testService.ts'
import { createRandomSales, HOUR_MS, moveLatest, START } from './randomSales.ts'

const ZONE = 'Europe/Paris'
/** Daylight saving time begins, so this day has 23 hours. */
const DAY = '2026-03-29'

let t: TestService
let shop: TestStore
let owner: Headers

beforeAll(async () => {
  t = await startTestService()
  const settings = { timeZone: ZONE, feeBps: 190, feeFixedMinor: 7n, refundFeeMinor: 35n }
  shop = await t.createStore(settings)
  const other = await t.createStore(settings)
  const wallet = await t.createWallet({ balance: '1000000.00' })
  owner = (await createPerson(t, shop.store, 'owner')).headers
  await setRate(t, 'EUR', 'USD', '1.0837')
  await t.database.transaction((tx) =>
    tx.execute(`update store set created_at = '2026-03-20 09:00:00Z'`),
  )
  t.service.stores.forget(shop.store.storeId)
  await t.fund(shop.store, 'live', '500.00')
  const shops = { t, shop, other, wallet }
  await moveLatest(shops, 'funding', '2026-03-21T10:00:00Z')
  await createRandomSales(shops)
})
afterAll(async () => {
  const findings = await t.auditFindings()
  await t.close()
  expect(findings).toEqual([])
})

type LedgerLine = { kind: string; reference: string; at: Date; delta: bigint; day: string }

/** The ledger in order of time. PostgreSQL computes the days. */
const readLedger = () =>
  t.database.query<LedgerLine>(
    `select kind, reference, at, to_char(at at time zone $2, 'YYYY-MM-DD') as day,
       case when credit = 'store:' || $1::int then amount else -amount end as delta
     from transfer
     where store_id = $1 and mode = 'live' and 'store:' || $1::int in (debit, credit)
     order by at, reference, case kind when 'payment' then 1 when 'fee' then 2 when 'refund' then 3 else 4 end`,
    [shop.store.storeId, ZONE],
  )

const money = (minor: bigint) => {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0')
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
const get = async (path: string, headers = owner) => t.call('GET', `/store/live/${path}`, headers)

describe('statement', () => {
  it('lists every line of the ledger with the balance after it, newest first', async () => {
    const lines: {
      at: string
      kind: string
      reference: string
      amount: string
      balance: string
    }[] = []
    let cursor = ''
    for (let page = 0; page < 100 && cursor !== null; page++) {
      const { body } = await get(
        `statement?limit=7${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      )
      lines.push(...body.data.lines)
      cursor = body.data.next_cursor
    }
    let balance = 0n
    const expected = (await readLedger()).map(({ kind, reference, delta }) => {
      balance += delta
      return { kind, reference, amount: money(delta), balance: money(balance) }
    })
    expect(expected.length).toBeGreaterThan(80)
    expect(
      lines
        .toReversed()
        .map(({ kind, reference, amount, balance }) => ({ kind, reference, amount, balance })),
    ).toEqual(expected)
    const { body } = await t.call('GET', '/merchant/balance', shop.live)
    expect(lines[0]!.balance).toBe(body.data.balance)
  })

  it('starts and ends with the requested days', async () => {
    const { body } = await get(`statement?from=${DAY}&to=${DAY}&limit=100`)
    const expected = (await readLedger()).filter(({ day }) => day === DAY).reverse()
    expect(body.data.lines.map((line: LedgerLine) => line.reference)).toEqual(
      expected.map(({ reference }) => reference),
    )
    expect(body.data.next_cursor).toBeNull()
  })

  it('names each payment by its reference, its link and its payer', async () => {
    const wallet = await t.createWallet({ balance: '100.00' })
    const store = await t.createStore({ refundFeeMinor: 0n })
    const { headers } = await createPerson(t, store.store, 'owner')
    await t.fund(store.store, 'live', '5.00')
    const paid = await createPaidPayment(t, store.live, wallet, {
      amount: 3,
      reference_id: 'order-7',
    })
    await refund(t, store.live, paid.payment_id)
    const link = await newLink(t, store.live, { title: 'Yoga class', amount: 2 })
    expect((await payLink(t, wallet, link)).status).toBe(200)
    const { body } = await get('statement', headers)
    type Line = { kind: string; payment: unknown }
    const order = { reference_id: 'order-7', link_title: null, payer: wallet.wallet.name }
    expect(body.data.lines.map(({ kind, payment }: Line) => [kind, payment])).toEqual([
      ['payment', { reference_id: null, link_title: 'Yoga class', payer: wallet.wallet.name }],
      ['refund', order],
      ['payment', order],
      ['funding', null],
    ])
  })

  it('refuses an invalid day, limit or cursor', async () => {
    expect((await get('statement?from=2026-02-30&to=x&limit=0&cursor=y')).body).toEqual(
      invalid(
        ['limit', 'limit must be a whole number from 1 to 100'],
        ['cursor', 'cursor must be the next_cursor of a page'],
        ['from', 'from must be a day such as 2026-01-31'],
        ['to', 'to must be a day such as 2026-01-31'],
      ),
    )
    expect((await get('statement.csv?from=2026-03-02&to=2026-03-01')).body).toEqual(
      invalid(['to', 'to must not be before from']),
    )
  })
})

describe('daily close', () => {
  it('equals the ledger exactly, even on a day with 23 hours', async () => {
    const { body } = await get('closes?to=2026-03-31&limit=20')
    const lines = await readLedger()
    const kinds = {
      sales: 'payment',
      fees: 'fee',
      refunds: 'refund',
      refund_fees: 'refund_fee',
      funding: 'funding',
      payouts: 'payout',
    }
    const days = body.data.closes.map(({ day }: { day: string }) => day)
    expect(days.at(-1)).toBe('2026-03-20')
    expect(days).toHaveLength(12)
    for (const close of body.data.closes) {
      const dayLines = lines.filter(({ day }) => day === close.day)
      const before = lines.filter(({ day }) => day < close.day)
      const sum = (group: LedgerLine[]) => group.reduce((total, { delta }) => total + delta, 0n)
      for (const [name, kind] of Object.entries(kinds)) {
        const ofKind = dayLines.filter((line) => line.kind === kind)
        const amount = sum(ofKind) < 0n ? -sum(ofKind) : sum(ofKind)
        expect({ day: close.day, name, ...close[name] }).toEqual({
          day: close.day,
          name,
          count: ofKind.length,
          amount: money(amount),
        })
      }
      expect(close.opening).toBe(money(sum(before)))
      expect(close.closing).toBe(money(sum(before) + sum(dayLines)))
      expect(close.is_over).toBe(true)
    }
    const short = body.data.closes.find(({ day }: { day: string }) => day === DAY)
    expect(short).toMatchObject({
      starts_at: '2026-03-28 23:00:00',
      ends_at: '2026-03-29 22:00:00',
    })
    expect(short.sales.count).toBeGreaterThan(5)
    expect(short.refunds.count).toBeGreaterThan(0)
  })

  it('of today is not over, and links to the days before', async () => {
    const { data } = (await get('closes?limit=2')).body
    expect(data.closes.map((close: { is_over: boolean }) => close.is_over)).toEqual([false, true])
    expect((await get(`closes?limit=31&to=${data.next_to}`)).status).toBe(200)
    expect((await get('closes?limit=32')).body).toEqual(
      invalid(['limit', 'limit must be a whole number from 1 to 31']),
    )
  })

  it('shows the end of the last day that can be requested with a year of four digits', async () => {
    const { store } = await t.createStore({ timeZone: 'UTC' })
    const { headers } = await createPerson(t, store)
    const { data } = (await get('closes?limit=1&to=9999-12-31', headers)).body
    expect(data.closes).toMatchObject([{ day: '9999-12-31', ends_at: '9999-12-31 23:59:59' }])
  })
})

/** A parser of RFC 4180 that shares no code with the export. No value may contain CRLF. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  for (const line of text.split('\r\n').slice(0, -1)) {
    const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)]
    rows.push(cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!))
  }
  return rows
}

describe('CSV export', () => {
  it('of a statement equals the ledger exactly, with UTC and local times, and separate columns for money in and out', async () => {
    const response = await get(`statement.csv?from=${DAY}&to=${DAY}`)
    const [head, ...rows] = parseCsv(response.text)
    const lines = await readLedger()
    const dayLines = lines.filter(({ day }) => day === DAY)
    let balance = lines.filter(({ day }) => day < DAY).reduce((sum, { delta }) => sum + delta, 0n)
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="statement-live-${DAY}-${DAY}.csv"`,
      'florin-rows': String(dayLines.length),
    })
    expect(head).toEqual([
      'at_utc',
      'at_local',
      'time_zone',
      'kind',
      'reference',
      'note',
      'money_in',
      'money_out',
      'balance',
      'currency',
    ])
    expect(
      rows.map(([utc, , zone, kind, reference, , moneyIn, moneyOut, after]) => ({
        utc,
        zone,
        kind,
        reference,
        moneyIn,
        moneyOut,
        after,
      })),
    ).toEqual(
      dayLines.map(({ at, kind, reference, delta }) => {
        balance += delta
        return {
          utc: at.toISOString().slice(0, 19).replace('T', ' '),
          zone: ZONE,
          kind,
          reference,
          after: money(balance),
          moneyIn: delta > 0n ? money(delta) : '',
          moneyOut: delta < 0n ? money(-delta) : '',
        }
      }),
    )
    const localOf = new Map(rows.map(([utc, local]) => [utc, local]))
    // 02:30 does not exist on this day.
    expect(localOf.get('2026-03-29 01:30:00')).toBe('2026-03-29 03:30:00')
    expect(localOf.get('2026-03-28 23:00:00')).toBe('2026-03-29 00:00:00')
    expect(rows.find(([, , , kind]) => kind === 'funding')![5]).toBe("'=1+1")
  })

  it('of payments escapes formulas, and agrees with the daily close', async () => {
    const response = await get(`payments.csv?from=2026-03-27&to=2026-03-31`)
    const [head, ...rows] = parseCsv(response.text)
    const column = (name: string) => rows.map((row) => row[head!.indexOf(name)]!)
    expect(rows).toHaveLength(40)
    expect(response.headers['florin-rows']).toBe('40')
    expect(new Set(column('reference_note'))).toEqual(
      new Set([
        `'=HYPERLINK("http://x.example")`,
        'Tea, "green"\nhot',
        "'+1",
        "'-2",
        "'@x",
        "'\tx",
        'ü',
      ]),
    )
    const gross = column('gross').reduce((sum, text) => sum + BigInt(text.replace('.', '')), 0n)
    const { closes } = (await get('closes?to=2026-03-31&limit=5')).body.data
    const sales = closes.map((close: { sales: { amount: string } }) => close.sales.amount)
    expect(gross).toBe(
      sales.reduce((sum: bigint, text: string) => sum + BigInt(text.replace('.', '')), 0n),
    )
    expect(rows.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([])
    expect(new Set(column('request_currency'))).toEqual(new Set(['USD', 'EUR']))
  })

  it('reads one batch if the consumer stops after it, and otherwise the next ones', async () => {
    // Another service, because the afterAll hook audits the ledger of this one.
    const other = await startTestService()
    const { store } = await other.createStore()
    await other.database.transaction((tx) =>
      tx.execute(
        `insert into transfer (store_id, reference, kind, mode, debit, credit, amount, currency, at)
         select $1, 'fnd_' || n, 'funding', 'live', 'external', 'store:' || $1::int, 1, 'USD',
           $2::timestamptz + n * interval '1 second'
         from generate_series(1, 501) n`,
        [store.storeId, new Date(START)],
      ),
    )
    let reads = 0
    const countingDatabase = {
      ...other.database,
      // The export must not start a report: reports can be refused, and the download has already begun.
      transaction: () => Promise.reject(new Error('The export starts a report')),
      query: (text: string, values: unknown[]) => {
        reads++
        return other.database.query(text, values)
      },
    } as typeof t.database
    const owner = { storeId: store.storeId, mode: 'live' as const }
    const period = { from: new Date(START), to: new Date(START + HOUR_MS), balance: 0n }
    const batches = exportLines(countingDatabase, owner, period)
    expect((await batches.next()).value).toHaveLength(500)
    expect(reads).toBe(1)
    expect((await batches.next()).value).toHaveLength(1)
    expect(reads).toBe(2)
    await other.close()
  })
})
