import { useCallback, useEffect, useRef, useState } from 'react'
import type { Problem } from '../../kit/request.ts'
import { useSession } from '../../kit/store/session.tsx'
import type { Details } from '../types.ts'

type Page = {
  readonly payments: readonly Details[]
  readonly next_cursor: string | null
  readonly looked_until: string | null
}

/** What is found so far, and where the search stands. */
type Found = {
  readonly rows: readonly Details[]
  readonly cursor: string | null
  readonly lookedUntil: string | null
}

const PAGE_ROWS = 25
/** One search looks at so many pages by itself, that is at half a million payments; then it asks. */
const MAX_STEPS = 50
const NOTHING: Found = { rows: [], cursor: null, lookedUntil: null }

/**
 * A list that grows by pages. Where a filter finds little, pages come back empty with a place to go on
 * from: it goes on by itself for a while, tells how far it has come, and can be stopped.
 */
export function usePaymentList(path: string) {
  const { ask } = useSession()
  const [found, setFound] = useState<Found | null>(null)
  const [isBusy, setBusy] = useState(true)
  const [problem, setProblem] = useState<Problem | null>(null)
  const running = useRef<AbortController>(undefined)

  const search = useCallback(
    async (from: Found | null) => {
      running.current?.abort()
      const control = new AbortController()
      running.current = control
      const { signal } = control
      setBusy(true)
      setProblem(null)
      let known = from ?? NOTHING
      const wanted = known.rows.length + PAGE_ROWS
      for (let step = 0; step < MAX_STEPS; step++) {
        const cursor = known.cursor === null ? '' : `&cursor=${known.cursor}`
        const limit = wanted - known.rows.length
        const answer = await ask<Page>(`${path}&limit=${limit}${cursor}`, { signal })
        if (signal.aborted) return
        if (!answer.ok) {
          setProblem(answer.problem)
          break
        }
        const { payments, next_cursor, looked_until } = answer.data
        known = {
          rows: [...known.rows, ...payments],
          cursor: next_cursor,
          lookedUntil: looked_until,
        }
        setFound(known)
        if (next_cursor === null || known.rows.length >= wanted) break
      }
      setBusy(false)
    },
    [ask, path],
  )
  useEffect(() => {
    setFound(null)
    void search(null)
    return () => running.current?.abort()
  }, [search])

  return {
    found,
    isBusy,
    problem,
    more: () => void search(found),
    stop: () => {
      running.current?.abort()
      setBusy(false)
    },
  }
}
