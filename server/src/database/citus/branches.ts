import type { Tx } from '../database.ts'
import { countOf } from '../transaction.ts'
import { type Branch, LOCK_SHARDS, openBranch } from './branch.ts'
import { groupByWorker, type Part, partsOf } from './parts.ts'
import { NotDirect, type Servers } from './pools.ts'
import type { Shard } from './shardMap.ts'
import { commitInTwoPhases, endAll } from './twoPhase.ts'

export type Branches = ReturnType<typeof createBranches>

type BranchState = { readonly branch: Promise<Branch>; hasWritten: boolean }
type Results = readonly { readonly rows: unknown[]; readonly command: string }[]

const WRITES = /^\s*(insert|update|delete)\b/

/** A transaction: its part on the coordinator, and a branch on each worker that it needs. */
export function createBranches({ map, pools, onDecisionPool }: Servers, coordinator: Tx) {
  const opened = new Map<string, BranchState>()
  const entered = new Set<string>()
  /** Statements for every server, also for a worker that joins later. */
  const shared: { readonly text: string; readonly values: readonly unknown[] }[] = []
  const notifications: (() => void)[] = []
  let isCommitted = false
  let hasCoordinatorWritten = false
  // Workers get statements after the coordinator has granted the locks, in the order of the calls.
  let granted: Promise<unknown> = Promise.resolve()

  function branchOn(shard: Shard): BranchState {
    const existing = opened.get(shard.worker.id)
    if (existing !== undefined) return existing
    const branch = openBranch(pools, shard.worker).then((joined) => {
      for (const { text, values } of shared) joined.sendInBackground(text, values)
      return joined
    })
    const entry = { branch, hasWritten: false }
    opened.set(shard.worker.id, entry)
    return entry
  }

  async function sendToWorker(text: string, parts: readonly Part[], newIds: ReadonlySet<string>) {
    const entry = branchOn(parts[0]!.shard)
    if (WRITES.test(text)) entry.hasWritten = true
    const branch = await entry.branch
    const ids = parts.map(({ shard }) => shard.id).filter((id) => newIds.has(id))
    if (ids.length > 0) branch.enter(ids)
    return Promise.all(parts.map((part) => branch.send(part.text, part.values)))
  }

  function sendToShards(text: string, parts: readonly Part[]): Promise<Results> {
    const newIds = new Set(parts.map(({ shard }) => shard.id).filter((id) => !entered.has(id)))
    if (newIds.size > 0) {
      for (const id of newIds) entered.add(id)
      // To move a shard, Citus locks it on the coordinator first, so lock there before the workers. Another order could deadlock.
      granted = Promise.all([granted, coordinator.query(LOCK_SHARDS, [[...newIds]])])
    }
    return granted
      .then(() =>
        Promise.all(groupByWorker(parts).map((group) => sendToWorker(text, group, newIds))),
      )
      .then((results) => results.flat())
  }

  function sendToAll<T>(text: string, values: readonly unknown[], onCoordinator: () => Promise<T>) {
    const done = Promise.all([onCoordinator(), granted]).then(([result]) => {
      shared.push({ text, values })
      for (const { branch } of opened.values()) {
        // If the branch can't be opened, the statement that needs it fails.
        branch.then((joined) => joined.sendInBackground(text, values)).catch(() => {})
      }
      return result
    })
    granted = done
    return done
  }

  async function send<T>(
    [text, values]: readonly [string, readonly unknown[]],
    onCoordinator: () => Promise<T>,
    fromShards: (results: Results) => T,
  ): Promise<T> {
    const { to } = map.routeOf(text)
    if (to === 'citus') throw new NotDirect(new Error('Only Citus can run this statement'))
    if (to === 'every server') return sendToAll(text, values, onCoordinator)
    if (to === 'shards') return sendToShards(text, partsOf(map, text, values)!).then(fromShards)
    if (WRITES.test(text)) hasCoordinatorWritten = true
    return onCoordinator()
  }

  const tx: Tx = {
    isDistributed: false,
    database: coordinator.database,
    onCommit: (notify) => void notifications.push(notify),
    query: <Row>(text: string, values: readonly unknown[] = []) =>
      send(
        [text, values],
        () => coordinator.query<Row>(text, values),
        (results) => results.flatMap(({ rows }) => rows as Row[]),
      ),
    execute: (text, values = []) =>
      send(
        [text, values],
        () => coordinator.execute(text, values),
        (results) => results.reduce((sum, { command }) => sum + countOf(command), 0),
      ),
  }

  return {
    tx,
    /**
     * Commits, in two phases if several workers have written. The coordinator's part stays open and holds the locks while
     * the workers commit, because work that runs through Citus locks stores and wallets only on the coordinator.
     */
    async finish(): Promise<void> {
      const writers: Branch[] = []
      const readers: Branch[] = []
      for (const { branch, hasWritten } of opened.values()) {
        if (hasWritten) writers.push(await branch)
        else readers.push(await branch)
      }
      if (hasCoordinatorWritten && writers.length > 0) {
        throw new NotDirect(new Error('The coordinator has written as well'))
      }
      await endAll(readers, 'commit')
      if (writers.length > 1) await commitInTwoPhases(onDecisionPool, writers)
      else if (writers.length === 1) await writers[0]!.end('commit')
      isCommitted = writers.length > 0
    },
    isCommitted: () => isCommitted,
    notify(): void {
      for (const notify of notifications) notify()
    },
    async release(): Promise<void> {
      const all = [...opened.values()].map(async ({ branch }) => (await branch).release())
      await Promise.allSettled(all)
      opened.clear()
    },
  }
}
