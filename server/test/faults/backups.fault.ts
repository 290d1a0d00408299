import { hash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { backup } from '../../../cli/src/backup/backup.ts'
import { parseUntil, restore } from '../../../cli/src/backup/restore.ts'
import { checkDatabase } from '../../../cli/src/doctor/database.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { findPostmaster } from '../../src/embedded/cluster.ts'
import { startEmbedded } from '../../src/embedded/server.ts'
import { withShop } from '../setup/withShop.ts'

let parent: string
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'florin-backups-'))
  // Set the keys: backups don't contain them, and these tests delete the folders in which the service would create them.
  vi.stubEnv('FLORIN_SECRET_KEY', randomBytes(32).toString('base64'))
  vi.stubEnv('FLORIN_PEPPER', randomBytes(32).toString('base64'))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(parent, { recursive: true, force: true })
})

describe('the archive of the embedded database', () => {
  const data = () => join(parent, 'data')
  const archive = () => join(parent, 'archive')
  const file = () => join(parent, 'base.tar.gz')
  const restoreAgain = (until: string | undefined) =>
    restore(file(), { replace: true, until: parseUntil(until), takesArchive: true })
  const findArchiveCheck = async (config: Config) =>
    (await checkDatabase(config)).find(({ check }) => check === 'archive')
  beforeAll(async () => {
    vi.stubEnv('FLORIN_DATA', data())
    vi.stubEnv('FLORIN_ARCHIVE', archive())
    await withShop(process.env, async (shop) => {
      await shop.pay('before')
      await backup(file())
      await shop.pay('after')
    })
  })

  it("says why it can't recover to a point in time, and changes nothing", async () => {
    const before = (await readdir(archive())).sort()
    await expect(restoreAgain('2020-01-01')).rejects.toThrow(
      'This backup was made after the time in --until',
    )
    await expect(restoreAgain('2099-01-01')).rejects.toThrow(
      'The archive does not reach that moment',
    )
    expect(() => restoreAgain('yesterday')).toThrow('--until must be a time')
    expect((await readdir(archive())).sort()).toEqual(before)
    expect((await readdir(data())).filter((name) => /restor/.test(name))).toEqual([])
    vi.stubEnv('FLORIN_ARCHIVE', '')
    await expect(restoreAgain('latest')).rejects.toThrow('set FLORIN_ARCHIVE')
    vi.stubEnv('FLORIN_ARCHIVE', archive())
  })

  it('is replayed to its end, through every timeline', async () => {
    for (const paid of [
      ['before', 'after'],
      ['before', 'after', 'then'],
    ]) {
      await rm(data(), { recursive: true })
      expect(await restoreAgain('latest')).toMatchObject({ payments: paid.length })
      await withShop(process.env, async (shop) => {
        expect(await shop.paid()).toEqual(paid)
        await shop.pay('then')
      })
    }
  })

  it('gets a new timeline from a backup that replays none of it', async () => {
    expect((await restoreAgain(undefined)).until).toBeNull()
    await withShop(process.env, async (shop, config) => {
      expect(await shop.paid()).toEqual(['before'])
      await shop.pay('anew')
      await shop.sql('select pg_switch_wal()')
      await vi.waitFor(
        async () => {
          const message = expect.stringContaining('00000004')
          expect(await findArchiveCheck(config)).toMatchObject({ state: 'ok', message })
        },
        { timeout: 20_000 },
      )
    })
    expect(await readdir(archive())).toContain('00000004.history.gz')
  })

  it('is not used by a restore without it, which continues on a new timeline', async () => {
    vi.stubEnv('FLORIN_ARCHIVE', '')
    expect(await restore(file(), { replace: true, until: null })).toMatchObject({
      payments: 1,
      may_archive: null,
    })
    vi.stubEnv('FLORIN_ARCHIVE', archive())
    const before = (await readdir(archive())).sort()
    await expect(withShop(process.env, async () => {})).rejects.toThrow('belongs to another data')
    expect((await readdir(archive())).sort()).toEqual(before)
    const otherArchive = join(parent, 'another archive')
    await withShop({ ...process.env, FLORIN_ARCHIVE: otherArchive }, (shop) =>
      shop.pay('elsewhere'),
    )
    const names = await readdir(otherArchive)
    expect(names).toContain('00000002.history.gz')
    expect(names.some((name) => name.startsWith('00000002000000'))).toBe(true)
  })

  it("is never overwritten, and doctor reports when it can't be written", async () => {
    await restoreAgain(undefined)
    const hashOf = async (name: string) =>
      hash('sha256', await readFile(join(archive(), name)), 'hex')
    const readContents = async () => {
      const names = (await readdir(archive())).sort()
      return Promise.all(names.map(async (name) => `${name} ${await hashOf(name)}`))
    }
    const config = readConfig(process.env)
    await withShop(process.env, async (shop) => {
      await vi.waitFor(
        async () => expect(await findArchiveCheck(config)).toMatchObject({ state: 'ok' }),
        20_000,
      )
      const [row] = (await shop.sql(
        'select pg_walfile_name(pg_current_wal_insert_lsn()) as name',
      )) as { name: string }[]
      await writeFile(join(archive(), `${row!.name}.gz`), gzipSync("another's"))
      const before = await readContents()
      await shop.pay('other')
      await shop.sql('select pg_switch_wal()')
      await vi.waitFor(
        async () => expect(await findArchiveCheck(config)).toMatchObject({ state: 'problem' }),
        { timeout: 20_000 },
      )
      expect(await readContents()).toEqual(before)
      await rm(join(archive(), `${row!.name}.gz`))
    })
  })
})

describe('a log that is incomplete, or was abandoned before', () => {
  const data = () => join(parent, 'left')
  const archive = () => join(parent, 'left archive')
  const file = () => join(parent, 'left.tar.gz')
  const restoreAgain = (until: Date | 'latest') => restore(file(), { replace: true, until })
  const listSegments = async () =>
    (await readdir(archive())).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name)).sort()
  const moments: Date[] = []
  beforeAll(async () => {
    vi.stubEnv('FLORIN_DATA', data())
    vi.stubEnv('FLORIN_ARCHIVE', archive())
    await withShop(process.env, async (shop) => {
      await shop.pay('0')
      await backup(file())
      for (const paid of ['a', 'b', 'c']) {
        await shop.pay(paid)
        await shop.sql('select pg_switch_wal()')
        moments.push(await shop.moment())
      }
    })
  })

  it('is not read from a folder that has none, and the folder is not created', async () => {
    const mistyped = join(parent, 'mistyped')
    vi.stubEnv('FLORIN_ARCHIVE', mistyped)
    await expect(restoreAgain('latest')).rejects.toThrow('There is no log in')
    await expect(
      restore(file(), { replace: true, until: null, takesArchive: true }),
    ).rejects.toThrow('There is no log in')
    expect(existsSync(mistyped)).toBe(false)
    vi.stubEnv('FLORIN_ARCHIVE', archive())
  })

  it('is completed from the replaced data folder if its end was not archived', async () => {
    await withShop(process.env, async (shop) => {
      await rename(archive(), `${archive()}-away`)
      await shop.pay('while it was missing')
      await shop.sql('select pg_switch_wal()')
      await shop.pay('at last')
    })
    await rename(`${archive()}-away`, archive())
    const restored = await restoreAgain('latest')
    expect(restored.payments).toBe(6)
    expect(new Date(restored.until!) > moments[2]!).toBe(true)
    expect(await readdir(data())).toContain('archive.id')
  })

  it('is replayed to a time on an abandoned timeline, and continues from there', async () => {
    expect((await restoreAgain(moments[0]!)).payments).toBe(2)
    // This time is on the timeline that the first restore abandoned.
    expect((await restoreAgain(moments[1]!)).payments).toBe(3)
    const laterMoment = await withShop(process.env, async (shop) => {
      expect(await shop.paid()).toEqual(['0', 'a', 'b'])
      await shop.pay('d')
      const moment = await shop.moment()
      await shop.pay('e')
      return moment
    })
    expect((await restoreAgain(moments[2]!)).payments).toBe(4)
    expect((await restoreAgain(laterMoment)).payments).toBe(4)
    await withShop(process.env, async (shop) => {
      expect(await shop.paid()).toEqual(['0', 'a', 'b', 'd'])
    })
  })

  it('is refused if a piece in the middle is missing or damaged', async () => {
    await withShop(process.env, async (shop) => {
      for (const paid of ['f', 'g', 'h']) {
        await shop.pay(paid)
        await shop.sql('select pg_switch_wal()')
      }
    })
    const lost = join(archive(), (await listSegments()).at(-2)!)
    const before = (await readdir(data())).sort()
    const whole = await readFile(lost)
    await writeFile(lost, whole.subarray(0, whole.length / 2))
    await expect(restoreAgain('latest')).rejects.toThrow('missing or damaged')
    await rename(lost, `${lost}-lost`)
    vi.stubEnv('FLORIN_DATA', join(parent, 'left, and new'))
    await expect(restoreAgain('latest')).rejects.toThrow('missing or damaged')
    vi.stubEnv('FLORIN_DATA', data())
    expect((await readdir(data())).sort()).toEqual(before)
    await rm(`${lost}-lost`)
    await writeFile(lost, whole)
    expect((await restoreAgain('latest')).payments).toBe(7)
  })
})

describe('a restored copy that is already in use', () => {
  const data = () => join(parent, 'used')
  const archive = () => join(parent, 'used archive')

  /** Opens a session in the copy as soon as it accepts connections. */
  async function openSession(): Promise<pg.Client> {
    const [name] = (await readdir(data())).filter((each) => each.startsWith('restoring-'))
    const folder = join(data(), name!)
    const server = await findPostmaster(join(folder, 'postgres'))
    expect(server?.isReady).toBe(true)
    const password = (await readFile(join(folder, 'postgres.password'), 'utf8')).trim()
    const client = new pg.Client({
      host: '127.0.0.1',
      port: server!.port,
      user: 'florin',
      password,
      database: 'postgres',
    })
    client.on('error', () => {})
    await client.connect()
    return client
  }

  it("doesn't replace the data folder", async () => {
    vi.stubEnv('FLORIN_DATA', data())
    vi.stubEnv('FLORIN_ARCHIVE', '')
    const file = join(parent, 'used.tar.gz')
    await withShop(process.env, async (shop) => {
      await shop.pay('there')
      await backup(file)
    })
    const restored = restore(file, { replace: true, until: null }).catch((error: Error) => error)
    const client = await vi.waitFor(openSession, { timeout: 60_000, interval: 20 })
    expect(await restored).toMatchObject({
      message: expect.stringContaining('Another program uses the unpacked copy'),
    })
    await client.end()
    expect((await readdir(data())).filter((name) => /restor/.test(name))).toEqual([])
    await withShop(process.env, async (shop) => expect(await shop.paid()).toEqual(['there']))
  })

  it("doesn't count as archiving for doctor", async () => {
    const recovery = { archive: null, target: 'latest' } as const
    const running = await startEmbedded({ folder: data(), recovery, log: () => {} })
    try {
      const config = { ...readConfig(process.env), archiveFolder: archive() }
      const found = await checkDatabase(config)
      expect(found).toContainEqual(expect.objectContaining({ check: 'archive', state: 'problem' }))
    } finally {
      await running.stop()
    }
  })
})
