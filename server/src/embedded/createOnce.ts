import { randomBytes } from 'node:crypto'
import { constants, copyFile, link, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type FileOwner, syncFolder } from './cluster.ts'
import { EmbeddedSetupError } from './setupError.ts'

type Content = { readonly text: string; readonly user: FileOwner | undefined }

/** Reads the file. Creates it with `content` if it doesn't exist. An empty file is an error. */
export async function readOrCreate(file: string, content: Content): Promise<string> {
  const read = () => readFile(file, 'utf8').then((text) => text.trim())
  const existing = await read().catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (existing) return existing
  const temporary = await writeTemporaryFile(file, content)
  // `link` fails if the file exists, so two concurrent starts read the same text and no process sees a
  // half-written file. Copy where the file system has no hard links.
  await link(temporary, file)
    .catch(() => copyFile(temporary, file, constants.COPYFILE_EXCL))
    .catch(() => {})
  await rm(temporary)
  await syncFolder(dirname(file))
  for (let attempt = 1; attempt <= 10; attempt++) {
    const text = await read()
    if (text !== '') return text
    // Another process may be copying it.
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  // A crash during the copy leaves an empty file. Don't replace it: the old text may still be in use.
  throw new EmbeddedSetupError(
    `${file} is empty. Restore it from a copy. Only if the folder has no database yet, delete it and start again.`,
  )
}

/** Writes and syncs a temporary file beside `file`, and returns its path. */
export async function writeTemporaryFile(file: string, { text, user }: Content): Promise<string> {
  const temporary = `${file}.new-${process.pid}-${randomBytes(4).toString('hex')}`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    if (user) await handle.chown(user.uid, user.gid)
    await handle.writeFile(`${text}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return temporary
}
