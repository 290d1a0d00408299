/** What a search compares with its text. */
const SEARCH_KINDS = ['reference', 'words', 'amount'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

/** The cursor of a search names its kind, so that all pages are of the same search. */
export const formatSearchCursor = (kind: SearchKind | null, paymentId: string): string =>
  kind === null ? paymentId : `${kind}.${paymentId}`

/** The rest of the cursor is the id of a payment if the cursor is valid. */
export function parseSearchCursor(cursor: string): { kind: SearchKind | null; rest: string } {
  const kind = SEARCH_KINDS.find((name) => cursor.startsWith(`${name}.`)) ?? null
  return { kind, rest: kind === null ? cursor : cursor.slice(kind.length + 1) }
}
