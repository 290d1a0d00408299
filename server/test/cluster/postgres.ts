import { type ChildProcess, execFileSync } from 'node:child_process'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Machine, openNetwork } from './network.ts'

const DEPLOY = fileURLToPath(new URL('../../../deploy/patroni/', import.meta.url))
export const readDeployFile = (name: string) => readFile(join(DEPLOY, name), 'utf8')

export const MACHINES = ['db1', 'db2', 'db3'] as const
export type MachineName = (typeof MACHINES)[number]
export type PostgresCluster = Awaited<ReturnType<typeof startPostgres>>
type State = { role: string; state: string; timeline: number; sync_standby?: boolean }

const PASSWORD = 'change-me'
const ETCD_FOLDERS = ['/var/lib/etcd', '/etc/etcd']
const PATRONI_FOLDERS = ['/var/lib/postgresql', '/var/run/postgresql', '/etc/patroni', '/dev/shm']
const COMPLETE_TIMEOUT_MS = 90_000

/** Three machines with PostgreSQL, Patroni and etcd, configured with the files of deploy/patroni. */
export async function startPostgres() {
  const network = await openNetwork(MACHINES)
  const machines = Object.fromEntries(
    MACHINES.map((name) => [name, network.machine(name)]),
  ) as Record<MachineName, Machine>
  const patroni: Partial<Record<MachineName, ChildProcess>> = {}

  /** The environment of a machine, derived from the file of db1. */
  async function envOf(file: string, name: MachineName): Promise<Record<string, string>> {
    const address = network.peerOf(name)
    const lines = (await readDeployFile(file)).split('\n').filter((line) => /^[A-Z]/.test(line))
    return Object.fromEntries(
      lines.map((line) => {
        const [key, value] = [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]
        // Lists contain all machines and are the same on each.
        const isList = value.includes(',')
        return [key, isList ? value : value.replace(/^db1$/, name).replace('10.0.0.11', address)]
      }),
    )
  }

  const certificates = join(network.folder, 'certificates')

  function createCertificates(): void {
    const addresses = MACHINES.map((name) => `${name}=${network.peerOf(name)}`)
    execFileSync('sh', [join(DEPLOY, 'certificates.sh'), certificates, ...addresses])
  }

  /** Installs the keys as docs/high-availability.md says: each program can read only its own key. */
  function installCertificates(name: MachineName): void {
    for (const [program, user, folder] of [
      ['etcd', 'etcd', '/etc/etcd'],
      ['patroni', 'postgres', '/etc/patroni'],
    ] as const) {
      const files = ['ca.crt', `${program}.crt`, `${program}.key`]
      const paths = files.map((file) => join(certificates, name, file))
      const to = join(machines[name].home, folder)
      execFileSync('install', [`--owner=${user}`, '--mode=600', ...paths, to])
    }
  }

  async function installFiles(name: MachineName): Promise<void> {
    const machine = machines[name]
    for (const folder of ETCD_FOLDERS) await machine.createFolder(folder, 'etcd')
    for (const folder of PATRONI_FOLDERS) await machine.createFolder(folder, 'postgres')
    installCertificates(name)
    const config = (await readDeployFile('patroni.yml'))
      // Florin connects from the load balancer's network.
      .replace(/(florin +florin +)10\.0\.0\.0/, '$1198.18.77.0')
      // A test must not reset the host through the watchdog.
      .replace('mode: automatic', 'mode: "off"')
    await writeFile(join(machine.home, '/etc/patroni/config.yml'), config)
    await chmod(join(machine.home, '/dev/shm'), 0o777)
  }

  async function startEtcd(name: MachineName): Promise<void> {
    machines[name].start('etcd', ['/usr/bin/etcd'], {
      env: {
        ...(await envOf('etcd.env', name)),
        ETCD_DATA_DIR: '/var/lib/etcd/default',
        ETCD_UNSUPPORTED_ARCH: 'arm64',
      },
      folders: ETCD_FOLDERS,
    })
  }

  async function startPatroni(name: MachineName): Promise<void> {
    patroni[name] = machines[name].start(
      'postgres',
      ['/usr/bin/patroni', '/etc/patroni/config.yml'],
      {
        env: {
          ...(await envOf('patroni.env', name)),
          HOME: '/var/lib/postgresql',
          LANG: 'C.UTF-8',
        },
        folders: PATRONI_FOLDERS,
      },
    )
  }

  /** Patroni's status, read over the load balancer's network. Null without a response. */
  async function stateOf(name: MachineName): Promise<State | null> {
    try {
      const signal = AbortSignal.timeout(2_000)
      const response = await fetch(`http://${network.frontOf(name)}:8008/patroni`, { signal })
      return (await response.json()) as State
    } catch {
      return null
    }
  }

  /** A client on the machine's own socket, which works even if its links are cut. */
  function connect(name: MachineName): pg.Client {
    const client = new pg.Client({
      host: join(machines[name].home, '/var/run/postgresql'),
      port: 5432,
      user: 'postgres',
      database: 'postgres',
      password: PASSWORD,
      connectionTimeoutMillis: 2_000,
    })
    client.on('error', () => {})
    return client
  }

  /** Waits for a leader with two replicas, one of them synchronous. */
  async function untilComplete(): Promise<MachineName> {
    const deadlineMs = Date.now() + COMPLETE_TIMEOUT_MS
    for (;;) {
      const states = await Promise.all(MACHINES.map(stateOf))
      const leaders = MACHINES.filter((_, index) =>
        /^(master|primary)$/.test(states[index]?.role ?? ''),
      )
      const timelines = new Set(states.map((state) => state?.timeline))
      const isRunning = states.every((state) => state?.state === 'running')
      const hasSyncStandby = states.some((state) => state?.sync_standby === true)
      if (leaders.length === 1 && isRunning && hasSyncStandby && timelines.size === 1)
        return leaders[0]!
      if (Date.now() > deadlineMs)
        throw new Error(`The cluster is not complete: ${JSON.stringify(states)}`)
      await sleep(250)
    }
  }

  const postmasterPidOf = async (name: MachineName) => {
    const file = join(machines[name].home, '/var/lib/postgresql/15/florin/postmaster.pid')
    return Number((await readFile(file, 'utf8')).split('\n')[0])
  }

  async function remove(): Promise<void> {
    // Stop PostgreSQL cleanly, so that it leaves no shared memory behind.
    for (const name of MACHINES) {
      machines[name].signal('SIGCONT')
      await postmasterPidOf(name).then(
        (pid) => process.kill(pid, 'SIGINT'),
        () => {},
      )
    }
    await sleep(500)
    await network.remove()
  }

  try {
    createCertificates()
    for (const name of MACHINES) await installFiles(name)
    for (const name of MACHINES) await startEtcd(name)
    for (const name of MACHINES) await startPatroni(name)
    const leader = await untilComplete()
    const client = connect(leader)
    await client.connect()
    await client.query(`create role florin login password '${PASSWORD}'`)
    await client.query('create database florin owner florin')
    await client.end()
  } catch (error) {
    const log = await readFile(join(machines.db1.home, 'patroni.log'), 'utf8').catch(() => '')
    await remove()
    throw new Error(`The cluster did not start: ${log.slice(-3000)}`, { cause: error })
  }

  return {
    network,
    machines,
    certificates,
    connect,
    stateOf,
    untilComplete,
    postmasterPidOf,
    patroniPidOf: (name: MachineName) => patroni[name]!.pid!,
    /** Restarts programs that have ended, like systemd. */
    async restartEnded(name: MachineName): Promise<void> {
      if (machines[name].pids('etcd').length === 0) await startEtcd(name)
      if (machines[name].pids('patroni').length === 0) await startPatroni(name)
    },
    remove,
  }
}
