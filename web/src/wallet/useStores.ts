import type { PaidStore, PaidStores } from '@florin/contract/walletActivity.js'
import { useCallback, useEffect, useState } from 'react'
import type { ApiResponse } from '../kit/request.ts'
import { addFavourite, getStores, removeFavourite } from './api.ts'
import { useReadOrder, useRecovery } from './live.ts'
import { isLoadProblem, type LoadProblem, loadProblemOf } from './refusals.ts'

type Options = {
  readonly walletId: string
  readonly changes: number
  /** Called after a request without a valid session. */
  readonly onSignedOut: () => Promise<void>
}

/** The shops of the wallet's latest payments. Null until they are loaded. */
export function useStores({ walletId, changes, onSignedOut }: Options) {
  const [stores, setStores] = useState<readonly PaidStore[] | null>(null)
  const [problem, setProblem] = useState<LoadProblem | 'favouritesFull' | null>(null)

  const startRead = useReadOrder()

  const show = useCallback(
    async (request: () => Promise<ApiResponse<PaidStores>>) => {
      const isNewest = startRead()
      const response = await request()
      if (!isNewest()) return
      if (response.ok) {
        setStores(response.data.stores)
        return setProblem(null)
      }
      const { status } = response.problem
      if (status === 401) return void onSignedOut()
      setProblem(status === 409 ? 'favouritesFull' : loadProblemOf(status))
    },
    [onSignedOut, startRead],
  )
  const load = useCallback(() => show(getStores), [show])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a payment can add a shop.
  useEffect(() => void load(), [load, changes])
  useRecovery(isLoadProblem(problem), () => void load())

  async function toggle({ store_id: id, favourite }: PaidStore): Promise<void> {
    await show(() => (favourite ? removeFavourite(walletId, id) : addFavourite(walletId, id)))
  }
  return { stores, problem, toggle }
}
