import type { Activity, ActivityEntry } from '@florin/contract/walletActivity.js'

export type LoadedActivity = {
  readonly entries: readonly ActivityEntry[]
  readonly cursor: string | null
  /** Earlier payments are archived. */
  readonly archivedBefore: string | null
}

/** Adds the page with the newest transfers. */
export function withNew(before: LoadedActivity, page: Activity): LoadedActivity {
  const added = unknownOf(before, page)
  const archivedBefore = page.archived_before
  // If all are new, transfers between this page and the known ones may be missing.
  if (added.length === page.activity.length) {
    return { entries: page.activity, cursor: page.next_cursor, archivedBefore }
  }
  return { entries: [...added, ...before.entries], cursor: before.cursor, archivedBefore }
}

/** Adds the page after the loaded transfers. */
export const withMore = (before: LoadedActivity, page: Activity): LoadedActivity => ({
  // A page can arrive twice: a read of the newest transfers enables the button while the page still loads.
  entries: [...before.entries, ...unknownOf(before, page)],
  cursor: page.next_cursor,
  archivedBefore: page.archived_before,
})

function unknownOf(before: LoadedActivity, page: Activity): ActivityEntry[] {
  const keyOf = ({ reference, kind }: ActivityEntry) => `${reference} ${kind}`
  const known = new Set(before.entries.map(keyOf))
  return page.activity.filter((entry) => !known.has(keyOf(entry)))
}
