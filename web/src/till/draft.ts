import { useState } from 'react'
import { forget, keep, kept } from './kept.ts'

/** A sale that is being typed. The key is its own: changed it is another sale, sent again the same. */
export type Draft = { readonly typed: string; readonly note: string; readonly key: string }

export const newDraft = (typed = '', note = ''): Draft => ({
  typed,
  note,
  key: crypto.randomUUID(),
})

export const keepDraft = (draft: Draft, storeId: number) =>
  keep('draft', JSON.stringify({ ...draft, storeId }))

export const forgetDraft = () => forget('draft')

/** Only what was typed for this store: another may have another currency, with other decimals. */
function keptDraft(storeId: number): Draft {
  const draft = JSON.parse(kept('draft') ?? 'null') as (Draft & { storeId: number }) | null
  return draft?.storeId === storeId ? draft : newDraft()
}

/** Kept in the tab: a reload, or a session that ends in between, loses nothing. */
export function useDraft(storeId: number): [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(() => keptDraft(storeId))
  return [
    draft,
    (next) => {
      keepDraft(next, storeId)
      setDraft(next)
    },
  ]
}
