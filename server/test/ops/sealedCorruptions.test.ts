import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CORRUPTIONS } from '../setup/corruptions.ts'
import {
  backUpRows,
  fillIn,
  makeHistory,
  type PlaceholderValues,
  restoreRows,
} from '../setup/ledgerHistory.ts'
import { type SealedLedger, startSealedLedger } from '../setup/sealedLedger.ts'

let ledger: SealedLedger
let recent: PlaceholderValues

beforeAll(async () => {
  ledger = await startSealedLedger()
  recent = await makeHistory(ledger.t)
  await backUpRows(ledger.client)
})
afterAll(() => ledger.close())

/** The subjects that an audit with the scope `new` reports, where they differ from those of a full audit. */
const OTHER_SUBJECTS: Record<string, string> = {
  'usage of a day without payments': 'month of 2020-01-01, store {unusedShop} live',
}

async function whileCorrupted(
  name: string,
  values: PlaceholderValues,
  work: () => Promise<void>,
): Promise<void> {
  try {
    const { rowCount } = await ledger.client.query(fillIn(CORRUPTIONS[name]![0], values))
    expect(rowCount).toBeGreaterThan(0)
    await work()
  } finally {
    await restoreRows(ledger.client)
  }
}

describe('an audit of what came after the sealed days', () => {
  it.each(Object.keys(CORRUPTIONS))('finds: %s', async (name) => {
    await whileCorrupted(name, recent, async () => {
      const subjects = (await ledger.findings('new')).map((finding) => finding.subject)
      const subject = OTHER_SUBJECTS[name] ?? CORRUPTIONS[name]![1]
      expect(subjects.join('\n')).toContain(fillIn(subject, recent))
    })
  })

  it('finds nothing without a corruption', async () => {
    expect(await ledger.findings('new')).toEqual([])
  })
})

describe('inside a sealed day', () => {
  // Corruptions that an audit finds only in the rows of the day, and the subjects that a spot check reports. Balances,
  // totals of links and usage are compared in every audit.
  const SPOT_CHECK_SUBJECTS: Record<string, string> = {
    "a payment's transfer: amount": '{paid}',
    "a payment's transfer: time": '{paid}',
    "a fee's time": '{paid}',
    "a refund's amount": '{refunded}',
    "a payout's amount": 'store {shop} live',
    "a payout's credit": 'payout {payout}',
    "the payer's side: amount": '{paid}',
    "the payer's side missing": '{paid}',
    "a withdrawal's amount": 'wallets on 20',
    'both sides of a refund missing': '{refunded}',
    'a transfer for a payment that does not exist': 'pay_nobody',
    'completed changed to refunded': '{paid}',
    'refunded changed to completed': '{refunded}',
    'expired changed to failed': '{expired}',
    'gross of an expired payment': '{expired}',
    'another payer': '{paid}',
    'counted on another day': 'store {shop} live on 20',
  }

  it.each(Object.keys(SPOT_CHECK_SUBJECTS))(
    'only the full audit and a spot check find: %s',
    async (name) => {
      await whileCorrupted(name, ledger.old, async () => {
        expect(await ledger.findings('new')).toEqual([])
        const full = (await ledger.findings('all')).map((finding) => finding.subject)
        expect(full.join('\n')).toContain(fillIn(CORRUPTIONS[name]![1], ledger.old))
        const spot = await ledger.findings('new', { spotCheckMs: 60_000 })
        const subjects = spot.map((finding) => finding.subject)
        expect(subjects.join('\n')).toContain(fillIn(SPOT_CHECK_SUBJECTS[name]!, ledger.old))
      })
    },
  )

  it('a missing link with a seal is found once', async () => {
    await whileCorrupted('a link missing', ledger.old, async () => {
      const subject = fillIn('link {link}', ledger.old)
      const missing = {
        check: 'totals of a link equal its payments',
        subject,
        expected: 'a link',
        found: 'no row',
      }
      for (const scope of ['new', 'all'] as const) {
        const findings = await ledger.findings(scope)
        expect(findings.filter((finding) => finding.subject === subject)).toEqual([missing])
      }
    })
  })
})
