import type { Activity, ActivityEntry } from '@florin/contract/walletActivity.js'

export type LoadedActivity = {
  readonly entries: readonly ActivityEntry[]
  readonly cursor: string | null
  /** Transfers before this time are archived and not listed. Null if none are. */
  readonly archivedBefore: string | null
}

/** Adds the page with the newest transfers. */
export function withNew(before: LoadedActivity, page: Activity): LoadedActivity {
  const keyOf = ({ reference, kind }: ActivityEntry) => `${reference} ${kind}`
  const known = new Set(before.entries.map(keyOf))
  const added = page.activity.filter((entry) => !known.has(keyOf(entry)))
  const archivedBefore = page.archived_before
  // If all are new, transfers between this page and the known ones may be missing, so start again from this page.
  if (added.length === page.activity.length) {
    return { entries: page.activity, cursor: page.next_cursor, archivedBefore }
  }
  return { entries: [...added, ...before.entries], cursor: before.cursor, archivedBefore }
}

/** Adds the page that was read with `cursor`. Ignores it if the transfers have changed, and another page follows them now. */
export function withMore(before: LoadedActivity, cursor: string, page: Activity): LoadedActivity {
  if (before.cursor !== cursor) return before
  return {
    entries: [...before.entries, ...page.activity],
    cursor: page.next_cursor,
    archivedBefore: page.archived_before,
  }
}
