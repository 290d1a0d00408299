import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '@florin/server/config.js'
import { isLoopbackUrl } from '@florin/server/core/loopback.js'
import { mayContainKey } from '../backup/archive.ts'
import { KEYS } from '../backup/keys.ts'
import { findPresent } from '../backup/swap.ts'
import { findNearestFolder } from './dataFolder.ts'
import { type Finding, note, ok, problem, warning } from './finding.ts'

/** Checks that a disk failure can't destroy data and archive together, and that no backup is stored with its keys. */
export async function checkBackups({
  dataFolder,
  archiveFolder,
  publicUrl,
}: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  if (archiveFolder === null) {
    const message =
      'FLORIN_ARCHIVE is not set: a disk failure would lose all payments since your last backup'
    const fix = 'Set FLORIN_ARCHIVE before you take real payments; see docs/backups.md.'
    findings.push((isLoopbackUrl(publicUrl) ? note : warning)('archive', message, fix))
  } else if (await isSameDisk(dataFolder, archiveFolder)) {
    findings.push(
      warning(
        'archive',
        `${archiveFolder} is on the same disk as the data: a disk failure would destroy both`,
        'Set FLORIN_ARCHIVE to a folder on another disk, preferably on another machine.',
      ),
    )
  }
  // The commands in docs/backups.md write backups next to the archive.
  const backupFolders = archiveFolder === null ? [] : [archiveFolder, dirname(archiveFolder)]
  for (const path of await findKeyCopies(backupFolders, dataFolder)) {
    findings.push(
      problem(
        'backups',
        `${path} is a key next to the backups: together they reveal every secret`,
        'Move the key to your secret store, apart from the backups.',
      ),
    )
  }
  const withKey = await findBackupsWithKey([process.cwd(), dataFolder, ...backupFolders])
  for (const path of withKey) {
    findings.push(
      problem(
        'backups',
        `${path} was made by a version that wrote secret.key into backups: it reveals every secret`,
        'Make a new backup (npx florin backup), store secret.key separately, and delete this one.',
      ),
    )
  }
  if (!findings.some(({ state }) => state === 'problem')) {
    findings.push(
      ok(
        'backups',
        archiveFolder === null
          ? 'found no backups with keys in this folder or the data folder'
          : 'found no keys in or next to the backups',
      ),
    )
  }
  return findings
}

async function isSameDisk(dataFolder: string, archiveFolder: string): Promise<boolean> {
  const [data, archive] = await Promise.all(
    [dataFolder, archiveFolder].map(async (folder) => stat(await findNearestFolder(folder))),
  )
  return data!.dev === archive!.dev
}

async function findKeyCopies(folders: readonly string[], dataFolder: string): Promise<string[]> {
  const files = KEYS.map(({ file }) => file)
  const found = await Promise.all(
    folders
      .filter((folder) => folder !== dataFolder)
      .map(async (folder) => (await findPresent(folder, files)).map((name) => join(folder, name))),
  )
  return found.flat()
}

async function findBackupsWithKey(folders: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const folder of new Set(folders)) {
    const names = await readdir(folder).catch(() => [])
    for (const name of names.filter((file) => /\.(tar\.gz|tgz)$/.test(file)).sort()) {
      if (await mayContainKey(join(folder, name))) found.push(join(folder, name))
    }
  }
  return found
}
