import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ip,
  ipIn,
  listNamespaces,
  NAME_PREFIX,
  ownerOf,
  pidsOf,
  programOf,
  removeLeftovers,
  removeNamespace,
  signalAll,
} from './namespaces.ts'

/** The network between the machines, as in the files of deploy/patroni. */
const PEERS = '10.0.0'
/** The network of the load balancer. The range is reserved for benchmark tests, so it is unused. */
const FRONT = '198.18.77'

export type Link = 'peers' | 'front'
type Network = Awaited<ReturnType<typeof openNetwork>>
export type Machine = ReturnType<Network['machine']>

/**
 * Simulated machines: network namespaces with two links each, one to reach each other and one for the
 * load balancer. A cut link drops packets silently.
 */
export async function openNetwork(machines: readonly string[]) {
  removeLeftovers()
  const other = listNamespaces().find((namespace) => ownerOf(namespace) !== null)
  if (other !== undefined) throw new Error(`Another cluster is running on this machine: ${other}`)
  const prefix = `${NAME_PREFIX}${process.pid.toString(36)}`
  const hub = `${prefix}-hub`
  const namespaceOf = (name: string) => `${prefix}-${name}`
  const folder = await mkdtemp(join(tmpdir(), `${prefix}-`))
  execFileSync('chmod', ['755', folder])
  const portOf = (name: string, link: Link) => `${link}-${name}`

  function plug(name: string, link: Link): void {
    ipIn(hub, 'link', 'set', portOf(name, link), 'master', link)
  }

  function addMachine(name: string, number: number): void {
    const namespace = namespaceOf(name)
    ip('netns', 'add', namespace)
    ipIn(namespace, 'link', 'set', 'lo', 'up')
    for (const [link, net] of [
      ['peers', PEERS],
      ['front', FRONT],
    ] as const) {
      const port = portOf(name, link)
      ipIn(hub, 'link', 'add', port, 'type', 'veth', 'peer', 'name', link, 'netns', namespace)
      ipIn(hub, 'link', 'set', port, 'up')
      ipIn(namespace, 'addr', 'add', `${net}.${number}/24`, 'dev', link)
      ipIn(namespace, 'link', 'set', link, 'up')
      plug(name, link)
    }
  }

  function build(): void {
    ip('netns', 'add', hub)
    for (const link of ['peers', 'front']) {
      ipIn(hub, 'link', 'add', link, 'type', 'bridge')
      ipIn(hub, 'link', 'set', link, 'up')
    }
    for (const [index, name] of machines.entries()) addMachine(name, 11 + index)
    ipIn(
      hub,
      'link',
      'add',
      'home',
      'type',
      'veth',
      'peer',
      'name',
      prefix,
      'netns',
      String(process.pid),
    )
    ipIn(hub, 'link', 'set', 'home', 'master', 'front', 'up')
    ip('addr', 'add', `${FRONT}.1/24`, 'dev', prefix)
    ip('link', 'set', prefix, 'up')
  }

  async function remove(): Promise<void> {
    for (const namespace of listNamespaces().filter((name) => name.startsWith(`${prefix}-`)))
      removeNamespace(namespace)
    // A killed process may still be writing.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }

  try {
    build()
  } catch (error) {
    await remove()
    throw error
  }

  return {
    folder,
    remove,
    front: FRONT,
    frontOf: (name: string) => `${FRONT}.${11 + machines.indexOf(name)}`,
    peerOf: (name: string) => `${PEERS}.${11 + machines.indexOf(name)}`,
    cut(name: string, ...links: Link[]): void {
      for (const link of links) ipIn(hub, 'link', 'set', portOf(name, link), 'nomaster')
    },
    heal(name: string): void {
      for (const link of ['peers', 'front'] as const) plug(name, link)
    },
    machine(name: string) {
      const home = join(folder, name)
      const pids = (program?: string) =>
        pidsOf(namespaceOf(name)).filter(
          (pid) => program === undefined || programOf(pid) === program,
        )
      return {
        name,
        home,
        /** The pids of all processes there, or of those that run one program. */
        pids,
        signal: (kind: NodeJS.Signals, program?: string) => signalAll(pids(program), kind),
        /** Creates the folder that `start` mounts at this path, which is the same on all machines. */
        async createFolder(path: string, user: string): Promise<void> {
          const folder = join(home, path)
          await mkdir(folder, { recursive: true })
          execFileSync('chown', [`${user}:`, folder])
        },
        /** Runs a program there as root and waits for it. */
        run(...command: string[]): { status: number | null; stdout: string } {
          const args = ['netns', 'exec', namespaceOf(name), ...command]
          return spawnSync('ip', args, { encoding: 'utf8' })
        },
        /** Starts a program there as that user. `pid` is the pid of the program, not of a shell. */
        start(
          user: string,
          command: readonly string[],
          { env, folders }: { env: Record<string, string>; folders: readonly string[] },
        ) {
          const mounts = folders.map(
            (path) => `mkdir -p ${path} && mount --bind ${join(home, path)} ${path}`,
          )
          const drop = `exec setpriv --reuid=${user} --regid=${user} --init-groups ${command.join(' ')}`
          const log = openSync(join(home, `${command[0]!.split('/').at(-1)}.log`), 'a')
          return spawn(
            'ip',
            ['netns', 'exec', namespaceOf(name), 'sh', '-c', [...mounts, drop].join(' && ')],
            {
              env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env },
              stdio: ['ignore', log, log],
              detached: true,
            },
          )
        },
      }
    },
  }
}
