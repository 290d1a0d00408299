import { mkdir, mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/database/migrate.ts'
import { startEmbedded } from '../../src/embedded/server.ts'
import { checkRecorded } from '../citus/statements.ts'
import { isSoak } from './soak.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    adminUrl: string
    templateDatabase: string
    statementsFolder: string
  }
}

const templateDatabase = 'florin_template'

/**
 * One PostgreSQL for all test files, with a migrated database in it that each of them clones. At the end every
 * statement that the service sent is checked against the rules of Citus.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await findFastFolder(), 'florin-test-'))
  // The temporary folders of the tests, and of the processes that they start.
  process.env.TMPDIR = join(folder, 'tmp')
  await mkdir(process.env.TMPDIR, { mode: 0o777 })
  const database = await startEmbedded({ folder, log: console.log })
  const statementsFolder = join(folder, 'statements')
  await mkdir(statementsFolder)
  const adminUrl = urlTo(database.url, 'postgres')
  const checkStatements = async () => {
    const renew = project.config.snapshotOptions.updateSnapshot === 'all'
    const isFullRun = await ranAllFiles(project)
    const problems = await checkRecorded(statementsFolder, adminUrl, { renew, isFullRun })
    if (problems.length === 0) return
    console.error(`Statements that break the rules of Citus:\n\n${problems.join('\n\n')}\n`)
    process.exitCode = 1
  }
  const teardown = async () => {
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await makeTemplate(adminUrl)
    project.provide('adminUrl', adminUrl)
    project.provide('templateDatabase', templateDatabase)
    project.provide('statementsFolder', statementsFolder)
    return async () => {
      try {
        await checkStatements()
      } finally {
        await teardown()
      }
    }
  } catch (error) {
    await teardown()
    throw error
  }
}

const MIN_FREE_BYTES = 8 * 1024 ** 3

/** In memory if there is enough of it: the tests create many databases and commit often, which is slow on a disk. */
async function findFastFolder(): Promise<string> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '')
  const options = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(mounts)?.[1]
  if (options === undefined || options.split(',').includes('noexec')) return tmpdir()
  const { bavail, bsize } = await statfs('/dev/shm')
  return Math.min(freemem(), bavail * bsize) > MIN_FREE_BYTES ? '/dev/shm' : tmpdir()
}

/** Whether all test files ran, without a filter by name. False for `npm run test:clients`, which has no files of the server. */
async function ranAllFiles(project: TestProject): Promise<boolean> {
  if (isSoak || project.config.testNamePattern !== undefined) return false
  const { testFiles } = await project.globTestFiles()
  const ran = new Set(project.vitest.state.getTestModules().map((module) => module.moduleId))
  const ofServer = testFiles.filter((file) => file.includes('/server/test/'))
  return ofServer.length > 0 && testFiles.every((file) => ran.has(file))
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(`create database ${templateDatabase}`)
    await migrate(urlTo(adminUrl, templateDatabase))
    // PostgreSQL can't clone a database that has connections, so refuse them.
    await client.query(`alter database ${templateDatabase} with allow_connections false`)
  } finally {
    await client.end()
  }
}

function urlTo(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
