import { useCallback, useEffect, useState } from 'react'
import { type LoadedActivity, withMore, withNew } from './activityPages.ts'
import { getActivity } from './api.ts'
import { useReadOrder, useRecovery } from './live.ts'
import { isLoadProblem, type LoadProblem, loadProblemOf } from './refusals.ts'

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
      // Only reads of the newest transfers replace each other.
      const isNewest = cursor === null ? startRead() : () => true
      const response = await getActivity({ storeId, cursor })
      if (!isNewest()) return
      if (!response.ok) {
        const { status } = response.problem
        return status === 401 ? onSignedOut() : setState(loadProblemOf(status))
      }
      const { data } = response
      setShown((before) =>
        cursor === null ? withNew(before, data) : withMore(before, cursor, data),
      )
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
