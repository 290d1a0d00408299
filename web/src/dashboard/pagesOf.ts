import { useEffect, useState } from 'react'
import type { Problem } from '../kit/request.ts'
import { useSession } from '../kit/store/session.tsx'

type Paged = { readonly next_cursor: string | null }

/** A list that grows by a page at a time; another path begins anew. */
export function usePages<Page extends Paged>(path: string) {
  const { ask } = useSession()
  const [pages, setPages] = useState<readonly Page[]>([])
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isBusy, setBusy] = useState(true)

  async function read(cursor: string | null, isCurrent: () => boolean): Promise<void> {
    setBusy(true)
    const and = path.includes('?') ? '&' : '?'
    const from = cursor === null ? '' : `${and}cursor=${encodeURIComponent(cursor)}`
    const answer = await ask<Page>(`${path}${from}`)
    if (!isCurrent()) return
    setBusy(false)
    setProblem(answer.ok ? null : answer.problem)
    if (answer.ok) setPages((known) => (cursor === null ? [answer.data] : [...known, answer.data]))
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: read is made anew with every drawing.
  useEffect(() => {
    let isCurrent = true
    setPages([])
    void read(null, () => isCurrent)
    return () => {
      isCurrent = false
    }
  }, [path, ask])

  const next = pages.at(-1)?.next_cursor ?? null
  return {
    pages,
    problem,
    isBusy,
    again: () => void read(null, () => true),
    more: next === null ? null : () => void read(next, () => true),
  }
}
