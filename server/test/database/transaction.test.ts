import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openDatabase, type Tx } from '../../src/database/database.ts'
import { CommitUnknown } from '../../src/database/errors.ts'
import { PipelinedQuery } from '../../src/database/pipeline.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

const guardRow = (subject: string) => ({
  write: (tx: Tx) =>
    tx.execute(
      `insert into sign_in_guard (subject, failures, last_at)
       values ($1, 1, now())`,
      [subject],
    ),
  exists: async () =>
    (await t.database.query('select 1 from sign_in_guard where subject = $1', [subject])).length >
    0,
})

it('reports the first failure of statements that were sent together', async () => {
  const { write, exists } = guardRow('together')
  const deep = async (tx: Tx) =>
    await (async () => await tx.execute('delete from payment where 1 / 0 = 1'))()
  const work = (tx: Tx) => Promise.all([write(tx), deep(tx), write(tx)])
  await expect(t.database.transaction(work)).rejects.toMatchObject({ code: '22012' })
  expect(await exists()).toBe(false)
})

it('sends no statement after the end of the transaction', async () => {
  const { write, exists } = guardRow('late')
  let lateQuery: Promise<unknown> = Promise.resolve()
  const work = (tx: Tx) => {
    lateQuery = tx
      .query('select 1')
      .then(() => sleep(50))
      .then(() => write(tx))
    lateQuery.catch(() => {})
    return Promise.all([lateQuery, tx.execute('delete from payment where 1 / 0 = 1')])
  }
  await expect(t.database.transaction(work)).rejects.toMatchObject({ code: '22012' })
  await expect(lateQuery).rejects.toMatchObject({ code: '22012' })
  expect(await exists()).toBe(false)
})

it.each([
  ['an error of the server', (tx: Tx) => tx.query('select 1 / 0 as none'), 'division by zero'],
  ['a value that cannot be written', (tx: Tx) => tx.query('select $1', [{}]), 'A query parameter'],
])('work that swallows %s fails nevertheless, and sends nothing more', async (...args) => {
  const [, fails, message] = args
  await withOneConnection(async (database, roundTrips) => {
    await database.query('select 1')
    const before = roundTrips()
    const { write, exists } = guardRow('swallowed')
    const work = async (tx: Tx) => {
      await write(tx)
      await fails(tx).catch(() => {})
      const sent = roundTrips()
      await expect(write(tx)).rejects.toThrow(message)
      expect(roundTrips()).toBe(sent)
    }
    await expect(database.transaction(work)).rejects.toThrow(message)
    expect(roundTrips()).toBeGreaterThan(before)
    expect(await exists()).toBe(false)
  })
})

it("a COMMIT that fails without a SQLSTATE doesn't count as refused", async () => {
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  spy.mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    if (args[0] === 'commit') return Promise.reject(new Error('Query read timeout'))
    return query.apply(this, args)
  })
  try {
    await withOneConnection(async (database) => {
      const work = (tx: Tx) => tx.query('select 1')
      await expect(database.transaction(work)).rejects.toBeInstanceOf(CommitUnknown)
    })
  } finally {
    spy.mockRestore()
  }
})

it('reports an error that comes after the last statement', async () => {
  await withOneConnection(async (database) => {
    const change = (text: string) => database.transaction((tx) => tx.execute(text))
    await change('create table late (one int unique deferrable initially deferred)')
    const duplicateInsert = 'insert into late values (1), (1)'
    // Outside a transaction the check runs after the last statement.
    await expect(database.query(duplicateInsert)).rejects.toMatchObject({ code: '23505' })
    await expect(change(duplicateInsert)).rejects.toMatchObject({ code: '23505' })
    expect(await database.query('select 1 from late')).toEqual([])
    await change('drop table late')
  })
})

it('a server process that is terminated during a COMMIT still acknowledges it', async () => {
  await withOneConnection(async (database) => {
    for (let times = 0; times < 3; times++) {
      const { write, exists } = guardRow(`stopped ${times}`)
      let terminated: Promise<unknown> = Promise.resolve()
      await database.transaction(async (tx) => {
        const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
        await write(tx)
        await tx.execute('set local commit_siblings = 0')
        // COMMIT takes 100 ms, during which the server process is terminated.
        await tx.execute('set local commit_delay = 100000')
        const terminate = () =>
          t.database.query(
            `select pg_terminate_backend(pid, 20000) from pg_stat_activity
             where pid = $1 and query = 'commit'`,
            [row!.pid],
          )
        terminated = expect.poll(terminate).toHaveLength(1)
      })
      await terminated
      expect(await exists()).toBe(true)
      await expect.poll(() => database.pool.totalCount).toBe(0)
    }
  })
})

it('ignores settings of the database that would lose or misread data', async () => {
  const name = new URL(t.databaseUrl).pathname.slice(1)
  for (const setting of [
    'synchronous_commit = off',
    `statement_timeout = '1s'`,
    `datestyle = 'SQL, DMY'`,
  ])
    await t.database.query(`alter database ${name} set ${setting}`)
  try {
    await withOneConnection(async (database) => {
      const rows = await database.query(
        `select current_setting('synchronous_commit') as commit, current_setting('statement_timeout') as timeout,
           timestamptz '2026-02-01 10:00:00Z' as at`,
      )
      expect(rows).toEqual([{ commit: 'on', timeout: '0', at: new Date('2026-02-01T10:00:00Z') }])
    })
  } finally {
    await t.database.query(`alter database ${name} reset all`)
  }
})

it('a transaction without statements works', async () => {
  expect(await t.database.transaction(async () => 5)).toBe(5)
})

it('distinguishes statements whose first 63 bytes are equal', async () => {
  const same = 'é'.repeat(24)
  await withOneConnection(async (database) => {
    for (const [name, number] of Object.entries({ one: 1, two: 2 })) {
      const text = `select '${same}' as same, ${number} as ${name}`
      for (let times = 0; times < 2; times++) {
        expect(await database.query(text)).toEqual([{ same, [name]: number }])
      }
    }
    expect(await database.query(`select '${same}' as same, 1 as one`)).toEqual([{ same, one: 1 }])
  })
})

it('an unreadable value is an error and an empty statement has no rows, and neither breaks the connection', async () => {
  await withOneConnection(async (database) => {
    const types = vi.spyOn(pg.types, 'getTypeParser').mockReturnValue(() => {
      throw new Error('unreadable')
    })
    await expect(database.query(`select 'x' as odd`)).rejects.toThrow('unreadable')
    types.mockRestore()
    expect(await database.query('-- nothing')).toEqual([])
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
  })
})

it.each([
  '2026-02-28T23:59:59.999Z',
  '9999-12-31T23:59:59-01:00',
  '0001-01-01T00:00:00+01:00',
  '-000043-03-15T12:00:00Z',
  '+033658-09-27T01:46:39.999Z',
])('the time %s arrives unchanged', async (text) => {
  const time = new Date(text)
  const ms = 'select (extract(epoch from $1::timestamptz) * 1000)::bigint as ms'
  expect(await t.database.query(ms, [time])).toEqual([{ ms: BigInt(time.getTime()) }])
  const listed =
    'select (extract(epoch from u) * 1000)::bigint as ms from unnest($1::timestamptz[]) u'
  expect(await t.database.query(listed, [[time]])).toEqual([{ ms: BigInt(time.getTime()) }])
})

it('refuses every statement after the end of the transaction', async () => {
  let endedTx: Tx | undefined
  const work = async (tx: Tx) => {
    endedTx = tx
    await Promise.all([tx.query('select 1'), Promise.reject(new Error('no'))])
  }
  await expect(t.database.transaction(work)).rejects.toThrow('no')
  for (let times = 0; times < 3; times++) {
    await expect(endedTx!.query('select 2')).rejects.toThrow('The transaction is over')
  }
})

it("doesn't send a pending write after the work has failed", async () => {
  const { write, exists } = guardRow('parked')
  const work = async (tx: Tx) => {
    await Promise.all([write(tx), Promise.reject(new Error('no'))])
  }
  await expect(t.database.transaction(work)).rejects.toThrow('no')
  await sleep(50)
  expect(await exists()).toBe(false)
})

/** A database with one connection, and a count of its round trips. */
async function withOneConnection(
  work: (database: ReturnType<typeof openDatabase>, roundTrips: () => number) => Promise<void>,
): Promise<void> {
  const { connectionString } = t.database.pool.options as { connectionString: string }
  const database = openDatabase({ url: connectionString, poolSize: 1, poolTimeoutMs: 5_000 })
  let connection: unknown
  database.pool.on('connect', (client) => {
    connection = (client as unknown as { connection: unknown }).connection
  })
  const submit = vi.spyOn(PipelinedQuery.prototype, 'submit')
  try {
    await work(database, () => submit.mock.calls.filter(([on]) => on === connection).length)
  } finally {
    submit.mockRestore()
    await database.close()
  }
}

it('statements of one turn take one round trip, and each gets its own result', async () => {
  await withOneConnection(async (database, roundTrips) => {
    await database.query('select 1')
    const before = roundTrips()
    const results = await database.transaction(async (tx) => {
      const update = 'update sign_in_guard set failures = 2 where subject = $1'
      return Promise.all([
        tx.query('select $1::int as number, null as nothing', [7]),
        guardRow('in one piece').write(tx),
        tx.execute(update, ['nobody']),
        tx.query('select 1 as number where false'),
        tx.execute(update, ['in one piece']),
        tx.query('select $1::int as number, null as nothing', [8]),
        tx.query('select $1::bigint as big, $2::date as day', [9n, '2026-02-28']),
      ])
    })
    expect(results).toEqual([
      [{ number: 7, nothing: null }],
      1,
      0,
      [],
      1,
      [{ number: 8, nothing: null }],
      [{ big: 9n, day: '2026-02-28' }],
    ])
    expect(roundTrips() - before, 'BEGIN and everything together').toBe(1)
  })
})

it('statements added while others are pending go out after them', async () => {
  await withOneConnection(async (database, roundTrips) => {
    await database.query('select 1')
    const before = roundTrips()
    const numbers = await database.transaction(async (tx) => {
      const number = (n: number) => tx.query('select $1::int as number', [n])
      const first = number(1)
      await new Promise(setImmediate)
      return Promise.all([first, number(2), number(3)])
    })
    expect(numbers.flat()).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }])
    expect(roundTrips() - before).toBe(2)
  })
})

it('a statement that failed once works the next time, on the same connection', async () => {
  await withOneConnection(async (database) => {
    const divideTen = (n: number) =>
      database.query<{ half: number }>('select 10 / $1::int as half', [n])
    await expect(divideTen(0)).rejects.toMatchObject({ code: '22012' })
    expect(await divideTen(2)).toEqual([{ half: 5 }])
    await expect(divideTen(0)).rejects.toMatchObject({ code: '22012' })
    expect(await divideTen(5)).toEqual([{ half: 2 }])
    const unknown = database.query('select 1 from nowhere')
    await expect(unknown).rejects.toMatchObject({ code: '42P01' })
    expect(await divideTen(1)).toEqual([{ half: 10 }])
  })
})

it('a statement whose table got a new column fails once', async () => {
  await withOneConnection(async (database) => {
    const change = (text: string) => database.transaction((tx) => tx.execute(text))
    const read = () => database.query('select * from widened')
    await change('create table widened as select 1 as one')
    expect(await read()).toEqual([{ one: 1 }])
    await change('alter table widened add column two int')
    await expect(read()).rejects.toMatchObject({ code: '0A000' })
    expect(await read()).toEqual([{ one: 1, two: null }])
    await change('drop table widened')
  })
})

it("refuses a value that it can't encode before it sends anything", async () => {
  await withOneConnection(async (database, roundTrips) => {
    await database.query('select 1')
    const before = roundTrips()
    const { write, exists } = guardRow('unwritable')
    const work = (tx: Tx) =>
      Promise.all([write(tx), tx.query('select $1::text as odd', [{ odd: true }])])
    await expect(database.transaction(work)).rejects.toThrow('A query parameter must be')
    expect(roundTrips() - before, 'only ROLLBACK').toBe(1)
    expect(await exists()).toBe(false)
  })
})

it('the stack trace of an error names the caller', async () => {
  const divideByZero = async () => await t.database.query('select 1 / $1::int as none', [0])
  const error = await divideByZero().catch((caught: Error) => caught)
  expect((error as Error).stack).toContain('divideByZero')
})

it.each([
  [['plain', '', 'a"b', 'a\\b', '{1,2}', 'NULL', 'null', ' ', 'é😀', 'a,b', "it's", null]],
  [[]],
])('an array of strings arrives unchanged: %j', async (list) => {
  const [row] = await t.database.query<{ list: unknown }>('select $1::text[] as list', [list])
  expect(row!.list).toEqual(list)
})
