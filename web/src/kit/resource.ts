import { useCallback, useEffect, useRef, useState } from 'react'
import type { Answer, Call, Problem } from './request.ts'

export type Ask = <Data>(path: string, call?: Call) => Promise<Answer<Data>>

export type Asked<Data> = {
  readonly data: Data | null
  readonly problem: Problem | null
  readonly serverMs: number
  readonly again: () => void
}

/**
 * What a path answers; asked anew when the path changes, by `again`, and with `everyMs` by itself for as
 * long as somebody can see the page.
 */
export function useAnswer<Data>(ask: Ask, path: string, everyMs?: number): Asked<Data> {
  const [known, setKnown] = useState<Omit<Asked<Data>, 'again'> & { path: string }>()
  const turns = useRef(0)

  const load = useCallback(async () => {
    const turn = ++turns.current
    const answer = await ask<Data>(path)
    // Asked for something else in the meantime, or the same again.
    if (turn !== turns.current) return
    setKnown((before) => {
      if (answer.ok) return { path, data: answer.data, problem: null, serverMs: answer.serverMs }
      // What was known stays on the screen; it is only no longer fresh.
      const isSame = before?.path === path
      const stale = { data: isSame ? before.data : null, serverMs: before?.serverMs ?? 0 }
      return { path, ...stale, problem: answer.problem }
    })
  }, [ask, path])
  useEffect(() => void load(), [load])

  useEffect(() => {
    if (everyMs === undefined) return
    const loadSeen = () => {
      if (document.visibilityState === 'visible') void load()
    }
    const timer = setInterval(loadSeen, everyMs)
    document.addEventListener('visibilitychange', loadSeen)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', loadSeen)
    }
  }, [load, everyMs])

  const again = useCallback(() => void load(), [load])
  const isKnown = known?.path === path
  return {
    data: isKnown ? known.data : null,
    problem: isKnown ? known.problem : null,
    serverMs: known?.serverMs ?? 0,
    again,
  }
}
