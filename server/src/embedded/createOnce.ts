import { randomBytes } from 'node:crypto'
import { constants, copyFile, link, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Owner, syncFolder } from './cluster.ts'

type Content = { readonly text: string; readonly user: Owner | undefined }

/** What is in the file, which is made with this text where there is none. */
export async function readOrCreate(file: string, content: Content): Promise<string> {
  const read = () => readFile(file, 'utf8').then((text) => text.trim())
  const known = await read().catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (known) return known
  const fresh = await writeFresh(file, content)
  // A link is made only where there is nothing, so when two starts race both read the same text; and the
  // file is never seen half written. Not every disk that an archive may be on has links.
  await link(fresh, file)
    .catch(() => copyFile(fresh, file, constants.COPYFILE_EXCL))
    .catch(() => {})
  await rm(fresh)
  await syncFolder(dirname(file))
  return read()
}

/** On the disk, under a name of its own beside the one that it is meant for. */
export async function writeFresh(file: string, { text, user }: Content): Promise<string> {
  const fresh = `${file}.new-${process.pid}-${randomBytes(4).toString('hex')}`
  const handle = await open(fresh, 'wx', 0o600)
  if (user) await handle.chown(user.uid, user.gid)
  await handle.writeFile(`${text}\n`)
  await handle.sync().finally(() => handle.close())
  return fresh
}
