import { useState } from 'react'
import { storedText } from '../kit/storage.ts'
import type { Basket } from './basket.ts'

/** What the cashier enters. */
export type Entry = Basket & { readonly note: string }

/** A sale before it is charged. Each edit creates a new Idempotency-Key; a retry uses the same one. */
export type Draft = Entry & {
  readonly key: string
  /** The names of lines without an item. Fixed here, because a retry needs the same body. */
  readonly names: { readonly custom: string; readonly tip: string }
}

const EMPTY: Entry = { typed: '', note: '', lines: [] }

export const createDraft = (names: Draft['names'], entry: Entry = EMPTY): Draft => ({
  ...entry,
  names,
  key: crypto.randomUUID(),
})

// Per tab: a reload or an expired session loses nothing.
const storedDraft = storedText('florin.till.draft', 'sessionStorage')
/** The last sale that was charged, for a cashier who cancels it. */
const storedCharged = storedText('florin.till.charged', 'sessionStorage')

export function forgetDrafts(): void {
  storedDraft.remove()
  storedCharged.remove()
}

const saveDraft = (draft: Draft, storeId: number) =>
  storedDraft.set(JSON.stringify({ ...draft, storeId }))

/** Only a draft of this store: another store can have a currency with other decimals. */
function loadDraft(storeId: number): Draft | null {
  const draft = JSON.parse(storedDraft.get() ?? 'null') as (Draft & { storeId: number }) | null
  return draft?.storeId === storeId && Array.isArray(draft.lines) ? draft : null
}

/** Puts a cancelled sale back on the keypad, unless another sale is being entered there. */
export function restoreDraft(draft: Draft, storeId: number): void {
  const current = loadDraft(storeId)
  const isEmpty =
    current === null || (current.typed === '' && current.note === '' && current.lines.length === 0)
  if (isEmpty) saveDraft(draft, storeId)
}

export const saveCharged = ({ typed, note, lines }: Entry, paymentId: string) =>
  storedCharged.set(JSON.stringify({ typed, note, lines, paymentId }))

/** What the cashier had entered for the payment, if it is the last one of this tab. */
export function loadCharged(paymentId: string): Entry | null {
  const sale = JSON.parse(storedCharged.get() ?? 'null') as (Entry & { paymentId: string }) | null
  if (sale?.paymentId !== paymentId) return null
  return { typed: sale.typed, note: sale.note, lines: sale.lines }
}

export function useDraft(storeId: number, names: Draft['names']): [Draft, (entry?: Entry) => void] {
  const [draft, setDraft] = useState(() => loadDraft(storeId) ?? createDraft(names))
  return [
    draft,
    (entry) => {
      const next = createDraft(names, entry)
      saveDraft(next, storeId)
      setDraft(next)
    },
  ]
}
