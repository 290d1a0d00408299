import { useState } from 'react'
import type { Problem } from '../kit/request.ts'
import type { Asked } from '../kit/resource.ts'
import { useAsked, useSession } from './session.ts'

type PageOf<Name extends string, Row> = { readonly [Key in Name]: readonly Row[] } & {
  readonly next_cursor: string | null
}

export type Pages<Row> = {
  readonly asked: Asked<unknown>
  readonly rows: readonly Row[]
  /** Null where there is no next page. */
  readonly showMore: (() => Promise<void>) | null
  readonly problem: Problem | null
}

/** A list that is long: its first page, and each next one when it is asked for. */
export function usePages<Row, Name extends string>(path: string, name: Name): Pages<Row> {
  const { ask } = useSession()
  const asked = useAsked<PageOf<Name, Row>>(path)
  const [older, setOlder] = useState<{ first: unknown; rows: Row[]; cursor: string | null }>()
  const [problem, setProblem] = useState<Problem | null>(null)
  const { data } = asked
  // What was fetched behind another first page does not follow this one.
  const more = older?.first === data ? older : undefined
  const cursor = more === undefined ? data?.next_cursor : more.cursor

  async function showMore(): Promise<void> {
    const joined = path.includes('?') ? '&' : '?'
    const asking = `${path}${joined}cursor=${encodeURIComponent(cursor!)}`
    const answer = await ask<PageOf<Name, Row>>(asking)
    if (!answer.ok) return setProblem(answer.problem)
    setProblem(null)
    const rows = [...(more?.rows ?? []), ...answer.data[name]]
    setOlder({ first: data, rows, cursor: answer.data.next_cursor })
  }

  return {
    asked,
    rows: [...(data?.[name] ?? []), ...(more?.rows ?? [])],
    showMore: cursor ? showMore : null,
    problem,
  }
}
