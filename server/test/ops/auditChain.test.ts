import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseHead } from '../../src/core/auditChain.ts'
import { hashToken } from '../../src/core/ids.ts'
import { watchAuditChain } from '../../src/metrics.ts'
import {
  createAuditChain,
  resealAuditLog,
  sealAuditLog,
  verifyAuditChain,
} from '../../src/ops/auditChain.ts'
import { inAuditedTransaction } from '../../src/ops/auditLog.ts'
import { erasePayer } from '../../src/ops/erasure.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

const ACTOR = { name: 'chain test', requestId: null }
let t: TestService
let client: pg.Client

beforeAll(async () => {
  t = await startTestService()
  client = new pg.Client({ connectionString: t.databaseUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await t.close()
})
beforeEach(async () => {
  await client.query('truncate audit_log, audit_seal restart identity')
})

const sql = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows
const seal = (batchSize?: number) =>
  sealAuditLog(t.database, t.service.secretKey, batchSize ? { batchSize } : {})
const verify = (options = {}) => verifyAuditChain(t.database, t.service.secretKey, options)
const act = (number: number) =>
  inAuditedTransaction(t.database, ACTOR, async () => ({
    result: null,
    entry: { action: 'test.act', subject: `test:${number}`, before: { number }, after: null },
  }))
async function actMany(count: number): Promise<void> {
  for (let n = 1; n <= count; n++) await act(n)
}
/** Ten entries that were sealed so long ago that no entry with a lower id can still commit. */
async function createOldChain(): Promise<void> {
  await actMany(10)
  await seal()
  await sql(`update audit_seal set sealed_at = sealed_at - interval '11 minutes'`)
}
const findings = async (options = {}) =>
  (await verify(options)).findings.map((finding) => `${finding.subject}: ${finding.found}`)

describe('sealing', () => {
  it('seals all entries in steps, once, and verifies them in steps', async () => {
    await actMany(10)
    expect(await seal(3)).toBe(10)
    expect(await seal()).toBe(0)
    const audit = await verify({ batchSize: 4 })
    expect(audit).toEqual({
      findings: [],
      sealed: 10n,
      unsealed: 0n,
      head: expect.stringMatching(/^10:[0-9a-f]{64}$/),
    })
    await act(11)
    expect(await verify()).toEqual({ ...audit, unsealed: 1n })
  })

  it('has nothing to report for an empty log', async () => {
    expect(await seal()).toBe(0)
    expect(await verify()).toEqual({ findings: [], sealed: 0n, unsealed: 0n, head: null })
  })

  it('is counted in the metrics only after a new process has sealed: a 0 would look like a loss', async () => {
    await actMany(10)
    const registry = new Registry()
    const chain = createAuditChain(t.database, t.service.secretKey, () => {})
    watchAuditChain({ ...t.service.metrics, registry }, chain.state)
    expect(await registry.metrics()).not.toMatch(/^florin_audit_log_sealed /m)
    await chain.seal(() => false)
    expect(await registry.metrics()).toMatch(/^florin_audit_log_sealed 10$/m)
  })

  it('seals each entry once with several concurrent sealers and writers', async () => {
    let isWriting = true
    const writers = Promise.all([actMany(40), actMany(40), actMany(40)]).finally(() => {
      isWriting = false
    })
    const sealer = async () => {
      while (isWriting) await seal(7)
    }
    await Promise.all([writers, sealer(), sealer(), sealer()])
    await seal()
    expect(await verify()).toMatchObject({ findings: [], sealed: 120n, unsealed: 0n })
    const [row] = await sql(
      'select count(*)::int as seals, max(position)::int as last, count(distinct entry_id)::int as entries from audit_seal',
    )
    expect(row).toEqual({ seals: 120, last: 120, entries: 120 })
  })

  it('seals an entry that commits late, after entries with higher ids', async () => {
    await act(1)
    let commit = () => {}
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve
    })
    let lateEntry = Promise.resolve()
    await new Promise<void>((inserted) => {
      lateEntry = t.database.transaction(async (tx) => {
        await tx.execute(
          `insert into audit_log (at, actor, action, subject, act_id)
           values (now(), 'late', 'test.late', 'test:late', gen_random_uuid())`,
        )
        inserted()
        await mayCommit
      })
    })
    await act(3)
    expect(await seal()).toBe(2)
    commit()
    await lateEntry
    expect(await seal()).toBe(1)
    expect(await sql('select entry_id::int as id from audit_seal order by position')).toEqual([
      { id: 1 },
      { id: 3 },
      { id: 2 },
    ])
    expect((await verify()).findings).toEqual([])
  })
})

describe('tampering', () => {
  beforeEach(createOldChain)

  it.each([
    ['an actor', `update audit_log set actor = 'x' where entry_id = 4`, 4],
    ['a time', `update audit_log set at = at + interval '1 microsecond' where entry_id = 5`, 5],
    ['a value', `update audit_log set before = '{"number": 60}' where entry_id = 6`, 6],
    ['a request id', `update audit_log set request_id = 'x' where entry_id = 1`, 1],
    ['an act id', 'update audit_log set act_id = gen_random_uuid() where entry_id = 10', 10],
  ])('finds a changed entry: %s', async (_what, statement, id) => {
    await sql(statement)
    expect((await verify({ batchSize: 3 })).findings).toEqual([
      {
        check: 'the audit log is complete and unchanged',
        subject: `entry ${id} (test.act test:${id})`,
        expected: 'as it was sealed',
        found: 'changed or moved',
      },
    ])
  })

  it('finds a removed entry', async () => {
    await sql('delete from audit_log where entry_id = 7')
    expect(await findings()).toEqual(['entry 7: removed'])
  })

  it('finds an entry that was removed with its seal', async () => {
    await sql('delete from audit_log where entry_id = 7')
    await sql('delete from audit_seal where entry_id = 7')
    const missing = 'seal 7: removed, with or without its entry, before entry 8 (test.act test:8)'
    expect(await findings()).toEqual([missing])
    await sql('update audit_seal set position = position - 1 where position > 7')
    expect(await findings()).toEqual(['entry 8 (test.act test:8): changed or moved'])
  })

  it('finds a removed seal, and does not seal the entry again', async () => {
    await sql('delete from audit_seal where entry_id = 3')
    expect(await seal()).toBe(0)
    expect(await findings()).toEqual([
      'seal 3: removed, with or without its entry, before entry 4 (test.act test:4)',
      'entry 3 (test.act test:3): inserted later',
    ])
  })

  it('finds an inserted entry, and does not seal it', async () => {
    // A transaction that was rolled back left a gap in the ids.
    await sql(`select nextval('audit_log_entry_id_seq')`)
    await act(12)
    await seal()
    await sql(`update audit_seal set sealed_at = sealed_at - interval '11 minutes'`)
    await sql(
      `insert into audit_log (entry_id, at, actor, action, subject, act_id)
       overriding system value
       values (11, now() - interval '1 hour', 'x', 'store.payout', 'store:1', gen_random_uuid())`,
    )
    expect(await seal()).toBe(0)
    expect(await findings()).toEqual(['entry 11 (store.payout store:1): inserted later'])
  })

  it('finds entries in another order', async () => {
    await sql('update audit_seal set position = -position + 100 where position in (4, 5)')
    await sql('update audit_seal set position = 4 where entry_id = 5')
    await sql('update audit_seal set position = 5 where entry_id = 4')
    expect(await findings()).toEqual([
      'entry 5 (test.act test:5): changed or moved',
      'entry 4 (test.act test:4): changed or moved',
      'entry 6 (test.act test:6): changed or moved',
    ])
  })

  it('finds contents that two entries exchanged', async () => {
    await sql(
      `update audit_log a set subject = b.subject, before = b.before
       from audit_log b
       where (a.entry_id, b.entry_id) in ((2, 9), (9, 2))`,
    )
    expect(await findings()).toEqual([
      'entry 2 (test.act test:9): changed or moved',
      'entry 9 (test.act test:2): changed or moved',
    ])
  })

  it('finds a rewritten tail only with a head that was noted before', async () => {
    const head = parseHead((await verify()).head!)
    expect(await findings({ noted: head })).toEqual([])
    await sql('delete from audit_log where entry_id > 8')
    await sql('delete from audit_seal where entry_id > 8')
    expect(await findings()).toEqual([])
    expect(await findings({ noted: head })).toEqual([
      'head 10: 8 sealed entries: newer ones were removed',
    ])
    await sql(`select setval('audit_log_entry_id_seq', 20)`)
    await actMany(2)
    await seal()
    const [row] = await sql(
      `select encode(hash, 'hex') as hash from audit_seal where position = 10`,
    )
    expect(await findings({ noted: head })).toEqual([`head 10: ${row.hash}`])
  })

  it('is detected by a running service, even if the end of the chain was removed', async () => {
    const reports: string[] = []
    const chain = createAuditChain(t.database, t.service.secretKey, ([first]) =>
      reports.push(`${first!.subject}: ${first!.found}`),
    )
    const isStopped = () => false
    await chain.seal(isStopped)
    await chain.verify()
    expect([reports, chain.state()]).toEqual([[], { sealed: 10, isBroken: false }])
    await sql('delete from audit_log where entry_id > 9')
    await sql('delete from audit_seal where entry_id > 9')
    await chain.seal(isStopped)
    await chain.seal(isStopped)
    expect(reports).toEqual(['head 10: 9 sealed entries: newer ones were removed'])
    expect(chain.state()).toEqual({ sealed: 9, isBroken: true })
    await sql(`update audit_log set actor = 'x' where entry_id = 2`)
    await chain.verify()
    expect(reports[1]).toBe('entry 2 (test.act test:2): changed or moved')
  })

  it('cannot be hidden by sealing with another key', async () => {
    const other = randomBytes(32)
    await sql('truncate audit_seal')
    await sealAuditLog(t.database, other)
    expect(await findings()).toHaveLength(10)
  })

  it('names a wrong secret key', async () => {
    const keyHash = hashToken(t.service.secretKey.toString('base64'))
    await sql('insert into secret_key_check (key_hash) values ($1)', [keyHash])
    expect((await verify()).findings).toEqual([])
    const wrong = await verifyAuditChain(t.database, randomBytes(32))
    expect(wrong).toEqual({
      findings: [
        {
          check: 'the audit log is complete and unchanged',
          subject: 'secret key',
          expected: 'the key that sealed the audit log',
          found: 'another key: set FLORIN_SECRET_KEY to the key of the database',
        },
      ],
      sealed: 10n,
      unsealed: 0n,
      head: null,
    })
    await sql('delete from secret_key_check')
  })
})

describe('personal data', () => {
  const profile = { mode: 'live', name: 'Ada', email: 'ada@example.com', pin: '2468' }
  let payerCount = 0
  async function createPayer() {
    payerCount += 1
    const body = { ...profile, phone: `+44770090${1000 + payerCount}` }
    const { wallet_id } = (await t.call('POST', '/operator/wallets', t.operator, body)).body.data
    const [row] = await sql('select wallet_id from wallet where public_id = $1', [wallet_id])
    return {
      wallet_id,
      erase: () => erasePayer(t.database, ACTOR, { walletId: row.wallet_id } as never),
    }
  }

  it('is covered by the chain', async () => {
    const { wallet_id } = await createPayer()
    await seal()
    expect((await verify()).findings).toEqual([])
    await sql(`update audit_log set after = after || '{"name": "Eve"}'`)
    expect(await findings()).toEqual([
      `entry 1 (wallet.create wallet:${wallet_id}): changed or moved`,
    ])
  })

  it('can be erased, before or after it is sealed', async () => {
    const sealed = await createPayer()
    await seal()
    await sealed.erase()
    await (await createPayer()).erase()
    await seal()
    expect(await verify()).toMatchObject({ findings: [], sealed: 4n })
    expect(
      await sql('select count(*)::int as salts from audit_seal where personal_salt is not null'),
    ).toEqual([{ salts: 0 }])
  })

  it('can be sealed again with another key, in batches, also after it was erased', async () => {
    const { erase } = await createPayer()
    await createPayer()
    await seal()
    await erase()
    const [oldKey, newKey] = [t.service.secretKey, randomBytes(32)]
    const reseal = { oldKey, newKey, onProgress: () => {}, batchSize: 1 }
    await t.database.transaction((tx) => resealAuditLog(tx, reseal))
    expect(await verifyAuditChain(t.database, newKey)).toMatchObject({ findings: [], sealed: 2n })
  })

  it('can be erased while entries are sealed', async () => {
    for (let n = 0; n < 10; n++) {
      const { erase } = await createPayer()
      await Promise.all([seal(), erase(), seal()])
    }
    await seal()
    expect(await verify()).toMatchObject({ findings: [], sealed: 20n })
  })

  it('cannot be removed without an entry that says so', async () => {
    const { wallet_id } = await createPayer()
    await seal()
    await sql(`update audit_log set after = after - 'name'`)
    const expected = [`entry 1 (wallet.create wallet:${wallet_id}): changed or moved`]
    expect(await findings()).toEqual(expected)
    await sql(`update audit_log set after = after - '{name,email,phone}'::text[]`)
    await sql('update audit_seal set personal_salt = null')
    expect(await findings()).toEqual(expected)
  })
})
