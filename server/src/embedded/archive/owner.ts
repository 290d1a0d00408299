import { randomBytes } from 'node:crypto'
import { access, chown, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { otherOwner, syncFolder } from '../cluster.ts'
import { createFolder } from '../createFolder.ts'
import { readOrCreate, writeTemporaryFile } from '../createOnce.ts'
import { EmbeddedSetupError } from '../setupError.ts'

/** Stored beside the cluster and never in a backup, because a restored copy is not the original. */
export const ARCHIVE_ID = 'archive.id'
const OWNER = 'owner'

/**
 * Claims the archive for this data folder. Two histories in one archive would make both useless, so only the
 * folder whose id is in the archive writes there. The first folder to claim it owns it.
 */
export async function claimArchive(archive: string, folder: string): Promise<string> {
  const user = await otherOwner(folder)
  const createdFolder = await createFolder(archive)
  if (createdFolder && user) await chown(archive, user.uid, user.gid)
  const id = await ownId(folder)
  if ((await readOrCreate(join(archive, OWNER), { text: id, user })) === id) return id
  throw new EmbeddedSetupError(
    `The archive ${archive} belongs to another data folder than ${folder}. Set FLORIN_ARCHIVE to another folder, or leave it empty. If ${folder} replaces the other data folder permanently, restore with --take-archive.`,
  )
}

/** Whether this data folder has claimed an archive. */
export const hasClaimed = (folder: string): Promise<boolean> =>
  access(join(folder, ARCHIVE_ID)).then(
    () => true,
    () => false,
  )

export async function archiveOwner(
  archive: string,
  folder: string,
): Promise<'this folder' | 'another' | 'none'> {
  const [owner, id] = await Promise.all(
    [join(archive, OWNER), join(folder, ARCHIVE_ID)].map((file) =>
      readFile(file, 'utf8').catch(() => ''),
    ),
  )
  if (!owner) return 'none'
  return owner === id ? 'this folder' : 'another'
}

/** Takes the archive over. The previous owner can no longer write to it, even if it is running. */
export async function takeArchive(archive: string, folder: string): Promise<void> {
  const temporary = await writeTemporaryFile(join(archive, OWNER), {
    text: await ownId(folder),
    user: await otherOwner(folder),
  })
  await rename(temporary, join(archive, OWNER))
  await syncFolder(archive)
}

async function ownId(folder: string): Promise<string> {
  const text = randomBytes(16).toString('hex')
  return readOrCreate(join(folder, ARCHIVE_ID), { text, user: await otherOwner(folder) })
}
