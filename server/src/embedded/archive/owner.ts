import { randomBytes } from 'node:crypto'
import { chown, mkdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { otherOwner, syncFolder } from '../cluster.ts'
import { readOrCreate, writeFresh } from '../createOnce.ts'

/** Beside the cluster, and in no backup: a copy that is restored elsewhere is not the one that it was made of. */
export const ARCHIVE_ID = 'archive.id'
const OWNER = 'owner'

/**
 * Two histories in one archive would make both useless, so only the data folder whose id is in it writes there. The
 * first one that comes has it.
 */
export async function claimArchive(archive: string, folder: string): Promise<string> {
  const user = await otherOwner(folder)
  const made = await mkdir(archive, { recursive: true, mode: 0o700 })
  if (made && user) await chown(archive, user.uid, user.gid)
  const id = await ownId(folder)
  if ((await readOrCreate(join(archive, OWNER), { text: id, user })) === id) return id
  throw new Error(
    `The archive ${archive} belongs to another data folder than ${folder}, which must not write into it. Set FLORIN_ARCHIVE to a folder of its own, or to nothing; where this one has taken the other's place for good, restore it with --take-archive.`,
  )
}

export async function archiveOwner(
  archive: string,
  folder: string,
): Promise<'this folder' | 'another' | 'nobody'> {
  const [owner, id] = await Promise.all(
    [join(archive, OWNER), join(folder, ARCHIVE_ID)].map((file) =>
      readFile(file, 'utf8').catch(() => ''),
    ),
  )
  if (!owner) return 'nobody'
  return owner === id ? 'this folder' : 'another'
}

/** From then on whoever had it writes nothing there any more, even if it runs. */
export async function takeArchive(archive: string, folder: string): Promise<void> {
  const fresh = await writeFresh(join(archive, OWNER), {
    text: await ownId(folder),
    user: await otherOwner(folder),
  })
  await rename(fresh, join(archive, OWNER))
  await syncFolder(archive)
}

async function ownId(folder: string): Promise<string> {
  const text = randomBytes(16).toString('hex')
  return readOrCreate(join(folder, ARCHIVE_ID), { text, user: await otherOwner(folder) })
}
