import { execFile, spawn } from 'node:child_process'
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type EmbeddedDatabase, startEmbedded } from '../../src/embedded/server.ts'

const execute = promisify(execFile)
const log: string[] = []
let parent: string
let folder: string
let running: EmbeddedDatabase[]
/** The folder of a stopped server. Copying it takes a tenth of the time of a first start. */
let prepared: string

beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), 'florin-prepared-'))
  await (await startEmbedded({ folder: prepared, log: () => {} })).stop()
})
afterAll(() => rm(prepared, { recursive: true, force: true }))

beforeEach(async () => {
  // Created with mode 700. As root, every test here also covers a folder that only root can enter.
  parent = await mkdtemp(join(tmpdir(), 'florin-embedded-'))
  folder = join(parent, '.florin')
  running = []
  log.length = 0
})

afterEach(async () => {
  for (const database of running) await database.stop()
  await rm(parent, { recursive: true, force: true })
})

async function start(dataFolder = folder): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ folder: dataFolder, log: (line) => log.push(line) })
  running.push(database)
  return database
}

/** Copies the folder of a server that ran before. */
const useExistingCluster = () => cp(prepared, folder, { recursive: true })

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

const pidFile = () => join(folder, 'postgres/postmaster.pid')

async function postmasterPid(): Promise<number> {
  return Number.parseInt(await readFile(pidFile(), 'utf8'), 10)
}

/** A process that ended stays listed until its parent reaps it, which may never happen in a container. */
async function isRunning(pid: number): Promise<boolean> {
  const { stdout } = await execute('ps', ['-o', 'stat=', '-p', `${pid}`]).catch(() => ({
    stdout: '',
  }))
  return stdout !== '' && !stdout.startsWith('Z')
}

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}

/** Starts the database in another process, and resolves when it is running. */
async function startInChild(): Promise<{ kill: () => Promise<void> }> {
  const code = `
    const { startEmbedded } = await import(process.argv[1])
    await startEmbedded({ folder: process.argv[2], log: console.error })
    console.log('up')
    setInterval(() => {}, 1000)`
  const built = new URL('../../dist/embedded/server.js', import.meta.url).href
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, built, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await Promise.race([
    new Promise((resolve) => child.stdout.once('data', resolve)),
    exited.then(() => Promise.reject(new Error('The child ended before its database was up.'))),
  ])
  return {
    kill: () => {
      child.kill('SIGKILL')
      return exited
    },
  }
}

test('starts in a new folder, and keeps its data after a stop', async () => {
  const first = await start()
  expect(first.wasStarted).toBe(true)
  expect(await modeOf(folder)).toBe('700')
  expect(await modeOf(join(folder, 'postgres.password'))).toBe('600')
  await query(first.url, 'create table entry as select 7 as n')
  const pid = await postmasterPid()
  await first.stop()
  expect(await isRunning(pid)).toBe(false)

  const second = await start()
  expect(second.wasStarted).toBe(true)
  expect(await query(second.url, 'select n from entry')).toEqual([7])
})

test('is durable, listens on the loopback address only, and requires a password', async () => {
  await useExistingCluster()
  const { url } = await start()
  const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums']
  const settings = names.map((name) => `current_setting('${name}')`).join(', ')
  expect(await query(url, `select ${settings}`)).toEqual(['on', 'on', 'on', 'on'])
  const sockets = `current_setting('unix_socket_directories')`
  const addresses = `select current_setting('listen_addresses'), ${sockets}`
  expect(await query(url, addresses)).toEqual(['127.0.0.1', ''])
  const wrong = new URL(url)
  wrong.password = 'wrong'
  await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
})

test('adopts the server that a killed process left behind', async () => {
  await useExistingCluster()
  const child = await startInChild()
  const pid = await postmasterPid()
  await child.kill()
  expect(await isRunning(pid)).toBe(true)

  const adopted = await start()
  expect(adopted.wasStarted).toBe(false)
  expect(await postmasterPid()).toBe(pid)
  expect(await query(adopted.url, 'select 1')).toEqual([1])
  await adopted.stop()
  expect(await isRunning(pid)).toBe(false)
})

test('starts again with all committed data after the server was killed', async () => {
  await useExistingCluster()
  const first = await start()
  await query(first.url, 'create table entry as select 7 as n')
  await first.stop()
  const child = await startInChild()
  await child.kill()
  process.kill(await postmasterPid(), 'SIGKILL')

  const second = await start()
  expect(second.wasStarted).toBe(true)
  expect(await query(second.url, 'select n from entry')).toEqual([7])
})

test('restarts on the same port when the server is killed while it is in use', async () => {
  await useExistingCluster()
  const first = await start()
  await query(first.url, 'create table entry as select 7 as n')
  process.kill(await postmasterPid(), 'SIGKILL')

  const found = () => query(first.url, 'select n from entry')
  await vi.waitFor(async () => expect(await found()).toEqual([7]), { timeout: 40_000 })
  await vi.waitFor(() => expect(log).toContain('The embedded PostgreSQL is running again.'), 20_000)
  const pid = await postmasterPid()
  await first.stop()
  expect(await isRunning(pid)).toBe(false)
})

test('starts despite a stale postmaster.pid', async () => {
  await useExistingCluster()
  const stale = {
    ofDeadProcess: (text: string) => text.replace(/^\d+/, '2147483645'),
    ofAnotherProgram: (text: string) => text.replace(/^\d+/, `${process.pid}`),
    empty: () => '',
    garbage: () => 'garbage\n',
  }
  for (const [kind, change] of Object.entries(stale)) {
    const before = await start()
    const text = await readFile(pidFile(), 'utf8')
    await before.stop()
    await writeFile(pidFile(), change(text))
    const after = await start()
    expect([kind, after.wasStarted]).toEqual([kind, true])
    expect(await query(after.url, 'select 1')).toEqual([1])
    await after.stop()
  }
})

test('treats a copy of a running folder as a separate cluster', async () => {
  await useExistingCluster()
  const first = await start()
  await query(first.url, 'checkpoint')
  const copy = join(parent, 'copy')
  await cp(folder, copy, { recursive: true })

  const second = await start(copy)
  expect(second.wasStarted).toBe(true)
  await query(second.url, 'create table only_here ()')
  expect(await query(first.url, `select to_regclass('only_here')`)).toEqual([null])
})

test('starts despite the leftovers of an interrupted first start', async () => {
  const leftover = join(folder, 'postgres.new-2147483645-0a1b2c3d')
  await mkdir(join(leftover, 'base'), { recursive: true })
  await writeFile(join(leftover, 'PG_VERSION'), '18\n')
  await mkdir(join(folder, 'postgres'))

  const database = await start()
  expect(await query(database.url, 'select 1')).toEqual([1])
  const names = (await readdir(folder)).sort()
  expect(names).toEqual(['postgres', 'postgres.log', 'postgres.password'])
})

test('creates no empty database where a restore was interrupted', async () => {
  await useExistingCluster()
  const first = await start()
  await query(first.url, 'create table entry as select 7 as n')
  await first.stop()
  const replaced = join(folder, 'before-restore-20261117T080000Z')
  const unpacked = join(folder, 'restoring-0a1b2c')
  await mkdir(unpacked)
  await cp(join(folder, 'postgres'), join(unpacked, 'postgres'), { recursive: true })
  await mkdir(replaced)
  for (const name of ['postgres', 'postgres.password']) {
    await rename(join(folder, name), join(replaced, name))
  }
  const before = await readdir(folder)
  const archive = join(parent, 'archive')
  const refused = startEmbedded({ folder, archive, log: () => {} })
  await expect(refused).rejects.toThrow(
    `Move everything in ${replaced} to ${folder}, overwriting files there.`,
  )
  expect(await readdir(folder)).toEqual(before)

  await cp(replaced, folder, { recursive: true })
  const second = await start()
  expect(await query(second.url, 'select n from entry')).toEqual([7])
  await second.stop()

  for (const path of [replaced, join(folder, 'postgres')]) await rm(path, { recursive: true })
  await expect(start()).rejects.toThrow(`Restore again. To start with an empty database instead,`)
  await rm(unpacked, { recursive: true })
  expect((await start()).wasStarted).toBe(true)
})

test.each(['a new folder', 'an existing cluster'])(
  'several concurrent starts in %s share one server',
  async (kind) => {
    if (kind === 'an existing cluster') await useExistingCluster()
    const [child, ...databases] = await Promise.all([startInChild(), start(), start(), start()])
    expect(new Set(databases.map(({ url }) => url)).size).toBe(1)
    expect(databases.filter(({ wasStarted }) => wasStarted).length).toBeLessThanOrEqual(1)
    const pid = await postmasterPid()
    await child.kill()
    await Promise.all(databases.map(({ stop }) => stop()))
    expect(await isRunning(pid)).toBe(false)
  },
)

test('stop keeps the server running for other processes', async () => {
  await useExistingCluster()
  const first = await start()
  const second = await start()
  const pid = await postmasterPid()
  await first.stop()
  expect(await query(second.url, 'select 1')).toEqual([1])

  const other = new pg.Client({ connectionString: second.url })
  await other.connect()
  await second.stop()
  expect(log).toContain('The embedded PostgreSQL keeps running: another process is using it.')
  expect((await other.query('select 1 as n')).rows).toEqual([{ n: 1 }])
  await other.end()

  const third = await start()
  expect(third.wasStarted).toBe(false)
  await third.stop()
  expect(await isRunning(pid)).toBe(false)
})

test('stop does not claim that another process uses a server that refuses its connection', async () => {
  await useExistingCluster()
  const database = await start()
  const other = new pg.Client({ connectionString: database.url })
  await other.connect()
  await other.query(`alter role florin password 'another'`)
  await database.stop()
  expect(log).toEqual(['The embedded PostgreSQL was not stopped: another process may be using it.'])
  await other.query(`alter role florin password '${new URL(database.url).password}'`)
  await other.end()
  const pid = await postmasterPid()
  await (await start()).stop()
  expect(await isRunning(pid)).toBe(false)
})

test('a process that starts while another stops gets a server that keeps running', async () => {
  await useExistingCluster()
  for (let round = 0; round < 10; round++) {
    const first = await start()
    const [second] = await Promise.all([start(), first.stop()])
    expect(await query(second.url, 'select 1')).toEqual([1])
    await second.stop()
  }
})

test('says what to do when a file that it created is empty', async () => {
  const archive = join(parent, 'archive')
  await mkdir(folder)
  await mkdir(archive)
  const files = ['postgres.password', 'archive.id'].map((name) => join(folder, name))
  for (const file of [...files, join(archive, 'owner')]) {
    await writeFile(file, '')
    await expect(startEmbedded({ folder, archive, log: () => {} })).rejects.toThrow(
      `${file} is empty. Restore it from a copy. Only if the folder has no database yet, delete it and start again.`,
    )
    await rm(file)
  }
})

test("says what to do when the password doesn't match the cluster", async () => {
  await useExistingCluster()
  const first = await start()
  await writeFile(join(folder, 'postgres.password'), 'another\n')
  await expect(startEmbedded({ folder, log: () => {} })).rejects.toThrow(
    /does not accept the password.*Restore the password file/,
  )
  const password = new URL(first.url).password
  await writeFile(join(folder, 'postgres.password'), `${password}\n`)
})
