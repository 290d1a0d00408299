import { useState } from 'react'
import { keep, kept } from './kept.ts'

/** A sale that is being typed. The key is its own: changed it is another sale, sent again the same. */
export type Draft = { readonly typed: string; readonly note: string; readonly key: string }

export const newDraft = (typed = '', note = ''): Draft => ({
  typed,
  note,
  key: crypto.randomUUID(),
})

export const keepDraft = (draft: Draft) => keep('draft', JSON.stringify(draft))

function keptDraft(): Draft {
  const text = kept('draft')
  return text === null ? newDraft() : (JSON.parse(text) as Draft)
}

/** Kept in the tab: a reload, or a session that ends in between, loses nothing. */
export function useDraft(): [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(keptDraft)
  return [
    draft,
    (next) => {
      keepDraft(next)
      setDraft(next)
    },
  ]
}
