import { useState } from 'react'
import { storedText } from '../kit/storage.ts'

/** A sale before it is charged. Each edit makes a new Idempotency-Key; a retry uses the same one. */
type Draft = { readonly typed: string; readonly note: string; readonly key: string }

export const newDraft = (typed = '', note = ''): Draft => ({
  typed,
  note,
  key: crypto.randomUUID(),
})

// Per tab: a reload or an expired session loses nothing.
export const storedDraft = storedText('florin.till.draft', 'sessionStorage')

export const saveDraft = (draft: Draft, storeId: number) =>
  storedDraft.set(JSON.stringify({ ...draft, storeId }))

/** Only a draft of this store: another store can have a currency with other decimals. */
function loadDraft(storeId: number): Draft {
  const draft = JSON.parse(storedDraft.get() ?? 'null') as (Draft & { storeId: number }) | null
  return draft?.storeId === storeId ? draft : newDraft()
}

export function useDraft(storeId: number): [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(() => loadDraft(storeId))
  return [
    draft,
    (next) => {
      saveDraft(next, storeId)
      setDraft(next)
    },
  ]
}
