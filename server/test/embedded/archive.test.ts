import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type EmbeddedDatabase, startEmbedded } from '../../src/embedded/server.ts'

const WAITING =
  'Waiting for the end of a Florin command that runs PostgreSQL with another FLORIN_ARCHIVE…'
const log: string[] = []
let parent: string
let folder: string
let archive: string
let running: EmbeddedDatabase[]

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'florin-embedded-'))
  folder = join(parent, 'data')
  archive = join(parent, 'archive')
  running = []
  log.length = 0
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const database of running) await database.stop()
  await rm(parent, { recursive: true, force: true })
})

async function start(options: { archive?: string; isService?: boolean }) {
  const database = await startEmbedded({ folder, log: (line) => log.push(line), ...options })
  running.push(database)
  return database
}
const startService = () => start({ archive, isService: true })

async function query<Row extends object>({ url }: EmbeddedDatabase, sql: string): Promise<Row> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows[0]!
  } finally {
    await client.end()
  }
}

const readArchiveMode = async (database: EmbeddedDatabase) =>
  (await query<{ mode: string }>(database, `select current_setting('archive_mode') as mode`)).mode

/** Completes the current segment of the write-ahead log, and returns its name. */
async function fillSegment(database: EmbeddedDatabase): Promise<string> {
  await query(database, 'create table if not exists entry as select 7 as n')
  const { name } = await query<{ name: string }>(
    database,
    'select pg_walfile_name(pg_switch_wal()) as name',
  )
  return name
}

const waitForArchived = (name: string) =>
  vi.waitFor(async () => expect(await readdir(archive)).toContain(`${name}.gz`), 20_000)

test('the service archives the write-ahead log of a command that ran the server without the archive', async () => {
  await (await startService()).stop()
  const command = await start({})
  const name = await fillSegment(command)
  await query(command, 'checkpoint')

  const starting = startService()
  await vi.waitFor(() => expect(log).toContain(WAITING), 20_000)
  expect(await readdir(archive)).not.toContain(`${name}.gz`)
  await command.stop()
  const service = await starting
  expect(service.wasStarted).toBe(true)
  await waitForArchived(name)
  await waitForArchived(await fillSegment(service))

  // Commands use the server of the service.
  const other = await start({})
  expect(other.wasStarted).toBe(false)
  expect(other.url).toBe(service.url)
})

test('the service refuses to start while a command keeps running the server without the archive', async () => {
  const command = await start({})
  const now = performance.now.bind(performance)
  let passedMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs)
  const refused = expect(startService()).rejects.toThrow(
    `Another Florin process runs the PostgreSQL in ${folder} with another FLORIN_ARCHIVE or without one.`,
  )
  await vi.waitFor(() => expect(log).toContain(WAITING), 20_000)
  passedMs = 60_000
  await refused
  expect(await readArchiveMode(command)).toBe('off')
})

test('a service without an archive turns archiving off, even after one with an archive and a command', async () => {
  await (await startService()).stop()
  const command = await start({})
  expect(await readArchiveMode(command)).toBe('on')
  const starting = start({ isService: true })
  await vi.waitFor(() => expect(log).toContain(WAITING), 20_000)
  await command.stop()
  expect(await readArchiveMode(await starting)).toBe('off')
})
