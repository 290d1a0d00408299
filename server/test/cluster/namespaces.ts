import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The names of all resources begin with this and the pid of the process that created them, in base 36. */
export const NAME_PREFIX = 'florinc'

export const ip = (...args: string[]) =>
  execFileSync('ip', args, { stdio: 'pipe', encoding: 'utf8' })
export const ipIn = (namespace: string, ...args: string[]) => ip('-n', namespace, ...args)

export const pidsOf = (namespace: string) =>
  ip('netns', 'pids', namespace).split('\n').filter(Boolean).map(Number)

export function signalAll(pids: readonly number[], kind: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, kind)
    } catch {
      // The process ended in the meantime.
    }
  }
}

/** The name of the program that a process runs. Empty if the process has ended. */
export function programOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

export const listNamespaces = () =>
  ip('netns', 'list')
    .split('\n')
    .map((line) => line.split(' ')[0]!)

export function removeNamespace(namespace: string): void {
  // While processes are killed, others may still be started.
  for (let round = 0; round < 50 && pidsOf(namespace).length > 0; round++)
    signalAll(pidsOf(namespace), 'SIGKILL')
  ip('netns', 'del', namespace)
}

/** The pid of the process that created a resource. Null if it is not a resource of these tests. */
export const ownerOf = (name: string) => {
  const owner = new RegExp(`^${NAME_PREFIX}([0-9a-z]+)-`).exec(name)?.[1]
  return owner === undefined ? null : Number.parseInt(owner, 36)
}
const isLeftover = (name: string) => {
  const owner = ownerOf(name)
  return owner !== null && !existsSync(`/proc/${owner}`)
}

/** Removes the resources of runs that ended without cleaning up. */
export function removeLeftovers(): void {
  for (const namespace of listNamespaces().filter(isLeftover)) removeNamespace(namespace)
  for (const folder of readdirSync(tmpdir()).filter(isLeftover))
    rmSync(join(tmpdir(), folder), { recursive: true, force: true })
}
