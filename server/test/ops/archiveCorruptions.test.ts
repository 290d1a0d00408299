import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moved, withRestoredTables } from '../setup/ledgerHistory.ts'
import { type OldLedger, startOldLedger } from '../setup/oldLedger.ts'

let ledger: OldLedger
beforeAll(async () => {
  ledger = await startOldLedger()
})
afterAll(() => ledger.close())

it('of two concurrent attempts, one archives the month, and the file matches the record', async () => {
  const results = await Promise.allSettled([ledger.archive(), ledger.archive()])
  const refused = results.filter((result) => result.status === 'rejected')
  const archived = results.filter(
    (result) => result.status === 'fulfilled' && result.value !== null,
  )
  expect(archived).toHaveLength(1)
  for (const { reason } of refused) expect(reason.message).toContain('Try again')
  expect(await ledger.files()).toEqual([])
  expect(await ledger.findings('all')).toEqual([])
})

describe('after a month was archived', () => {
  const TABLES = [
    'transfer',
    'wallet_transfer',
    'archive',
    'archived_line',
    'archived_wallet',
    'payment',
    'archived_payer',
  ]
  const old = `at < now() - interval '60 days'`
  // A full audit finds every change. If `isAlwaysFound`, an audit with the scope `new` finds it too.
  const cases: Record<string, [sql: string, subject: string, isAlwaysFound: boolean]> = {
    'a changed amount of a slot': [
      `update archived_line set amount = amount + 1 where kind = 'payment' and starts = (select min(starts) from archived_line)`,
      'sums of',
      false,
    ],
    'an amount moved to another slot': [
      `update archived_line set starts = ${moved('starts', '15 minutes')} where starts = (select max(starts) from archived_line)`,
      '15 minutes from',
      false,
    ],
    'a removed slot': [
      `delete from archived_line where starts = (select min(starts) from archived_line)`,
      'sums of',
      false,
    ],
    'a record of an infinite month': [
      `insert into archive
       select 'infinity', sha256, transfers, transfer_hash, wallet_transfers, wallet_transfer_hash, sums, mac, archived_at
       from archive limit 1`,
      'infinity',
      true,
    ],
    'an infinite time of an archived payment': [
      `update payment set settled_at = '-infinity' where settled_at < now() - interval '60 days' and status = 'completed'`,
      '15 minutes from',
      false,
    ],
    'a changed sum of a wallet': [
      'update archived_wallet set balance = balance + 1',
      'sums of',
      false,
    ],
    'a removed payment of a payer': [
      'update archived_payer set payment_ids = trim_array(payment_ids, 1) where cardinality(payment_ids) > 1',
      'sums of',
      false,
    ],
    'a changed hash of the file': [
      `update archive set sha256 = sha256 || '\\x00'`,
      '{month}',
      true,
    ],
    'a changed count': [
      'update archive set transfers = transfers + 1',
      'transfers of stores',
      true,
    ],
    'a removed record': ['delete from archive', 'of payment', false],
    'an inserted old payment': [
      `insert into transfer select store_id, 'pay_nobody', kind, mode, debit, credit, amount, currency, timestamptz '{month} 12:00Z' + interval '20 days', null from transfer where kind = 'payment' limit 1`,
      'transfers of stores',
      true,
    ],
    'an inserted old top-up': [
      `insert into wallet_transfer select wallet_id, at, 'top_more', kind, mode, debit, credit, amount, currency from wallet_transfer where kind = 'top_up' and ${old} limit 1`,
      'transfers of wallets',
      true,
    ],
    'a removed payout of an archived month': [
      `delete from transfer where kind = 'payout' and ${old}`,
      'transfers of stores',
      true,
    ],
    'a removed newer transfer': [
      `delete from transfer where kind = 'fee' and not ${old} and reference = '{recent}'`,
      'fee of payment',
      true,
    ],
    'an archived payment marked as refunded in its month': [
      `update payment set status = 'refunded', refunded_at = settled_at, refund_fee = 0 where payment_id = '{sale}'`,
      'refund of store',
      false,
    ],
  }

  it.each(Object.keys(cases))('%s is found', async (name) => {
    const [sql, subjectText, isAlwaysFound] = cases[name]!
    const { client, sales, recent } = ledger
    const withValues = (text: string) =>
      text
        .replace('{sale}', sales[2]!)
        .replace('{month}', ledger.month)
        .replace('{recent}', String(recent.paid))
    const change = withValues(sql)
    const subject = withValues(subjectText)
    await withRestoredTables(client, TABLES, async () => {
      expect((await client.query(change)).rowCount).toBeGreaterThan(0)
      const subjects = (found: { subject: string }[]) =>
        found.map((finding) => finding.subject).join('\n')
      expect(subjects(await ledger.findings('all'))).toContain(subject)
      if (isAlwaysFound) expect(subjects(await ledger.findings('new'))).toContain(subject)
      const reseal = await ledger.findings('reseal')
      expect(reseal).not.toEqual([])
    })
    expect(await ledger.findings('all')).toEqual([])
  })

  it('a missing seal or balance of a wallet with archived and other transfers is found once', async () => {
    const { client, payer } = ledger
    const { walletId } = payer.wallet
    const subject = `wallet ${walletId} USD`
    const rowOf = async (table: string) =>
      (await ledger.rowsOf(`select * from ${table} where wallet_id = ${walletId}`))[0]
    const seal = await rowOf('wallet_seal')
    const { transfers } = await rowOf('archived_wallet')
    expect(Number(transfers)).toBeGreaterThan(0)
    expect(Number(transfers)).toBeLessThan(Number(seal.transfers))
    await withRestoredTables(client, ['wallet_seal', 'wallet_balance'], async () => {
      const findingsWithout = async (table: string) => {
        await client.query(`delete from ${table} where wallet_id = ${walletId}`)
        const findings = await ledger.findings('all')
        return findings.filter((finding) => finding.subject.endsWith(subject))
      }
      const sealed = { check: 'sealed days are unchanged', subject: `sealed total of ${subject}` }
      const unsealed = {
        ...sealed,
        expected: 'nothing',
        found: `${seal.transfers} transfers of ${seal.balance}`,
      }
      const unbalanced = {
        check: 'wallet balance equals its transfers',
        subject,
        expected: seal.balance,
        found: 'no row',
      }
      expect(await findingsWithout('wallet_seal')).toEqual([unsealed])
      expect(await findingsWithout('wallet_balance')).toEqual([unbalanced, unsealed])
    })
  })
})
