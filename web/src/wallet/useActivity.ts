import type { Activity, ActivityEntry } from '@florin/contract/walletActivity.js'
import { useCallback, useEffect, useState } from 'react'
import { getActivity } from './api.ts'
import { useReadOrder, useRecovery } from './live.ts'
import { isLoadProblem, type LoadProblem, loadProblemOf } from './refusals.ts'

type LoadedActivity = {
  readonly entries: readonly ActivityEntry[]
  readonly cursor: string | null
  /** Earlier payments are archived. */
  readonly archivedBefore: string | null
}

type Options = {
  /** Null for all stores. */
  readonly storeId: number | null
  readonly changes: number
  /** Called after a request without a valid session. */
  readonly onSignedOut: () => Promise<void>
}

/** The transfers of the wallet, newest first, page by page. New ones appear by themselves. */
export function useActivity({ storeId, changes, onSignedOut }: Options) {
  const [shown, setShown] = useState<LoadedActivity>({
    entries: [],
    cursor: null,
    archivedBefore: null,
  })
  const [state, setState] = useState<'loading' | 'ready' | LoadProblem>('loading')

  const startRead = useReadOrder()

  const load = useCallback(
    async (cursor: string | null) => {
      // Earlier pages don't count: after one of them, a read of the newest transfers still adds some.
      const isNewest = cursor === null ? startRead() : () => true
      const response = await getActivity({ storeId, cursor })
      if (!isNewest()) return
      if (!response.ok) {
        const { status } = response.problem
        return status === 401 ? onSignedOut() : setState(loadProblemOf(status))
      }
      const { data } = response
      setShown((before) => (cursor === null ? withNew(before, data) : withMore(before, data)))
      setState('ready')
    },
    [storeId, onSignedOut, startRead],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change adds transfers.
  useEffect(() => void load(null), [load, changes])
  useRecovery(isLoadProblem(state), () => void load(null))

  function loadMore(): void {
    setState('loading')
    void load(shown.cursor)
  }
  return { ...shown, state, loadMore }
}

const withMore = (before: LoadedActivity, page: Activity): LoadedActivity => ({
  entries: [...before.entries, ...page.activity],
  cursor: page.next_cursor,
  archivedBefore: page.archived_before,
})

function withNew(before: LoadedActivity, page: Activity): LoadedActivity {
  const keyOf = ({ reference, kind }: ActivityEntry) => `${reference} ${kind}`
  const known = new Set(before.entries.map(keyOf))
  const added = page.activity.filter((entry) => !known.has(keyOf(entry)))
  const archivedBefore = page.archived_before
  // If all are new, transfers between this page and the known ones may be missing.
  if (added.length === page.activity.length) {
    return { entries: page.activity, cursor: page.next_cursor, archivedBefore }
  }
  return { entries: [...added, ...before.entries], cursor: before.cursor, archivedBefore }
}
