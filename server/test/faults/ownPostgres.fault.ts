import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf } from '../../../cli/test/documents/blocks.ts'
import { freePort } from '../setup/started.ts'
import { withShop } from '../setup/withShop.ts'

const BINARIES = ['18', '17', '16', '15']
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .find((folder) => existsSync(join(folder, 'pg_basebackup')))

describe.skipIf(BINARIES === undefined)('your own PostgreSQL, as in docs/backups.md', () => {
  const execute = promisify(execFile)
  /** PostgreSQL refuses to run as root. */
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? { uid: 65_534, gid: 65_534 } : {}
  let home: string
  let port: number

  /** Runs a code block of the page, with the folders of the test, and with this moment instead of the example's. */
  async function run(script: string, moment: Date | null = null): Promise<void> {
    const text = script
      .replaceAll('/var/lib/postgresql', home)
      .replaceAll('/mnt/', `${home}/`)
      .replaceAll('$(date +%F)', '2026-01-31')
      .replaceAll('2026-01-31 14:04:00+00', moment?.toISOString().replace('Z', '+00') ?? '')
      // The server's output would keep the pipe open for as long as it runs.
      .replaceAll('pg_ctl ', `pg_ctl --log=${home}/log `)
    await execute('sh', ['-euc', text], {
      ...user,
      cwd: home,
      env: {
        PATH: `${BINARIES}:${process.env.PATH}`,
        PGHOST: home,
        PGPORT: `${port}`,
        PGUSER: 'postgres',
      },
    })
  }

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'florin-own-'))
    await Promise.all(['archive', 'backup'].map((name) => mkdir(join(home, name))))
    if (isRoot) execFileSync('chown', ['-R', '65534:65534', home])
    port = await freePort()
    await run('initdb --pgdata=/var/lib/postgresql/data --username=postgres --auth=trust')
    const settings = `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${home}'\n`
    await appendFile(join(home, 'data/postgresql.conf'), settings)
    await run('pg_ctl --pgdata=/var/lib/postgresql/data --wait start')
  })
  afterAll(async () => {
    await run('pg_ctl --pgdata=/var/lib/postgresql/data --mode=immediate --wait stop')
    await rm(home, { recursive: true, force: true })
  })

  it('recovers to a point in time, passes the audit, and accepts payments', async () => {
    const page = await readFile(
      fileURLToPath(new URL('../../../docs/backups.md', import.meta.url)),
      'utf8',
    )
    const chapter = page.slice(page.indexOf('## Your own PostgreSQL'))
    const [settings, copy, recover] = blocksOf(chapter).map(({ text }) => text)
    await run(settings!)
    const env = {
      DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres`,
      FLORIN_DATA: join(home, 'florin'),
      FLORIN_SECRET_KEY: randomBytes(32).toString('base64'),
      FLORIN_PEPPER: randomBytes(32).toString('base64'),
    }
    const target = await withShop(env, async (shop) => {
      await shop.pay('before the copy')
      await run(copy!)
      await shop.pay('after the copy')
      const at = await shop.moment()
      await shop.pay('too late')
      return at
    })
    await run(recover!, target)
    await withShop(env, async (shop) => {
      expect(await shop.paid()).toEqual(['before the copy', 'after the copy'])
      await shop.pay('from there')
      expect(await shop.paid()).toHaveLength(3)
    })
  })
})
