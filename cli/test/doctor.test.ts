import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../server/src/config.ts'
import { writeArchive } from '../src/backup/archive.ts'
import type { TarEntry } from '../src/backup/tar.ts'
import { countConnections } from '../src/connections.ts'
import { checkBackups } from '../src/doctor/backups.ts'
import { checkDatabase } from '../src/doctor/database.ts'
import type { Finding } from '../src/doctor/finding.ts'
import { checkSettings } from '../src/doctor/settings.ts'

let parent: string
let data: string
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'florin-doctor-'))
  data = join(parent, 'data')
  await mkdir(data)
})
afterAll(() => rm(parent, { recursive: true, force: true }))

/** Returns warnings and problems; each must have a fix. */
const warningsAndProblems = (findings: readonly Finding[]) =>
  findings.flatMap((finding) => {
    if (finding.state === 'ok' || finding.state === 'note') return []
    expect(finding.fix).toMatch(/\.$/)
    return [`${finding.state} ${finding.check}: ${finding.message}`]
  })

it.each<[Record<string, string>, RegExp[]]>([
  [{}, []],
  // Settings of commands.
  [{ FLORIN_URL: 'https://pay.example.com', FLORIN_NEW_SECRET_KEY: 'x' }, []],
  [{ FLORIN_PUBLIC_URL: 'https://pay.example.com', FLORIN_TRUST_PROXY: '1' }, []],
  [{ FLORIN_PUBLIC_URL: 'https://pay.example.com' }, [/FLORIN_TRUST_PROXY is 0/]],
  [{ FLORIN_PUBLIC_URL: 'http://192.168.0.5' }, [/plain http/, /FLORIN_TRUST_PROXY is 0/]],
  // Without a proxy, 0 is correct.
  [{ FLORIN_PUBLIC_URL: 'http://192.168.0.5', HOST: '0.0.0.0' }, [/plain http/]],
  [{ HOST: '0.0.0.0', FLORIN_DEMO: '1' }, [/the demo store and its keys are reachable/]],
  [
    { HOST: '0.0.0.0', FLORIN_WEBHOOK_PRIVATE: 'allow' },
    [/webhooks to private addresses are allowed/],
  ],
  [
    {
      FLORIN_PUBLIC_URL: 'https://pay.example.com',
      FLORIN_TRUST_PROXY: '1',
      FLORIN_UNSAFE: '1',
      FLORIN_DEMO: '1',
      FLORIN_WEBHOOK_PRIVATE: 'allow',
    },
    [/the demo store and its keys are reachable/, /webhooks to private addresses are allowed/],
  ],
  [
    { FLORIN_PUBLIC_URL: 'https://pay.example.com', FLORIN_DEMO: '1' },
    [/^problem settings: FLORIN_DEMO must not be 1 with FLORIN_PUBLIC_URL=https:\/\/pay/],
  ],
])('reports the warnings and problems of the settings %j', (env, expected) => {
  const found = warningsAndProblems(checkSettings(env).findings)
  expect(found).toEqual(expected.map((pattern) => expect.stringMatching(pattern)))
})

const findingsOf = async (archive?: string) =>
  warningsAndProblems(
    await checkBackups(
      readConfig({ FLORIN_DATA: data, ...(archive ? { FLORIN_ARCHIVE: archive } : {}) }),
    ),
  )

it('reports an archive on the disk of the data, even before it exists', async () => {
  expect(await findingsOf()).toEqual([])
  // /dev is another file system on every machine.
  expect(await findingsOf('/dev/florin-archive')).toEqual([])
  const archive = join(parent, 'backups', 'log')
  const same = `warning archive: ${archive} is on the same disk as the data: a disk failure would destroy both`
  expect(await findingsOf(archive)).toEqual([same])
  await mkdir(archive, { recursive: true })
  expect(await findingsOf(archive)).toEqual([same])
})

it('reports that a restore was interrupted, instead of a database that the first start creates', async () => {
  const folder = join(parent, 'interrupted')
  const found = () => checkDatabase(readConfig({ FLORIN_DATA: folder }))
  const none = [{ state: 'ok', message: 'none yet; the first start creates it' }]
  expect(await found()).toMatchObject(none)
  const replaced = join(folder, 'before-restore-20261117T080000Z')
  await mkdir(join(replaced, 'postgres'), { recursive: true })
  expect(await found()).toMatchObject(none)
  await writeFile(join(replaced, 'postgres', 'PG_VERSION'), '17\n')
  expect(await found()).toMatchObject([
    { state: 'problem', fix: expect.stringContaining(`Move everything in ${replaced}`) },
  ])
})

/** Writes a file that starts like a backup. */
async function writeBackup(path: string, names: readonly string[]): Promise<void> {
  async function* entries(): AsyncGenerator<TarEntry> {
    for (const name of names) {
      const kind = name === 'postgres' ? 'folder' : 'file'
      yield { path: name, kind, size: 0, mode: 0o600, data: Readable.from([]) }
    }
  }
  const parts: Buffer[] = []
  const header = { florin: '0.1.0', made_at: '2026-01-31T00:00:00.000Z' }
  for await (const part of writeArchive(entries(), async () => header)) parts.push(part)
  await writeFile(path, gzipSync(Buffer.concat(parts)))
}

it('notes a missing archive at a loopback address, and warns about it at a public one', async () => {
  const stateAt = async (FLORIN_PUBLIC_URL: string) => {
    const findings = await checkBackups(readConfig({ FLORIN_DATA: data, FLORIN_PUBLIC_URL }))
    return findings.map(({ check, state }) => `${state} ${check}`)
  }
  expect(await stateAt('http://localhost:8080')).toEqual(['note archive', 'ok backups'])
  expect(await stateAt('https://pay.example.com')).toEqual(['warning archive', 'ok backups'])
})

it('reports keys in backups and next to them', async () => {
  const backups = join(parent, 'backups')
  const archive = join(backups, 'log')
  await mkdir(archive, { recursive: true })
  await writeFile(join(data, 'secret.key'), 'where it belongs')
  await writeFile(join(backups, 'notes.tar.gz'), 'no backup at all')
  await writeBackup(join(backups, 'new.tar.gz'), ['postgres.password', 'postgres'])
  const isKey = (line: string) => line.startsWith('problem backups')
  expect((await findingsOf(archive)).filter(isKey)).toEqual([])

  await writeFile(join(backups, 'pepper.key'), 'x')
  const old = ['postgres', 'postgres/backup_label', 'secret.key']
  await writeBackup(join(backups, 'old.tar.gz'), old)
  await writeBackup(join(data, 'old.tgz'), old)
  const reason = 'was made by a version that wrote secret.key into backups'
  expect((await findingsOf(archive)).filter(isKey)).toEqual([
    `problem backups: ${join(backups, 'pepper.key')} is a key next to the backups: together they reveal every secret`,
    expect.stringContaining(`${join(data, 'old.tgz')} ${reason}`),
    expect.stringContaining(`${join(backups, 'old.tar.gz')} ${reason}`),
  ])
})

it('counts a connection for LISTEN in each process', () => {
  const alone = countConnections(readConfig({ FLORIN_PROCESSES: '1', FLORIN_POOL_SIZE: '10' }))
  const ofFour = countConnections(readConfig({ FLORIN_PROCESSES: '4', FLORIN_POOL_SIZE: '10' }))
  expect(ofFour - alone).toBe(3 * 11)
})
