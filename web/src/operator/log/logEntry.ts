import type { ListedAuditEntry } from '@florin/contract/platform.js'

type Values = Readonly<Record<string, unknown>> | null

/** An entry of the audit log. The names of the values depend on the action. */
export type LogEntry = ListedAuditEntry & { readonly before: Values; readonly after: Values }
export type LogEntryPage = {
  readonly entries: readonly LogEntry[]
  readonly next_cursor: string | null
  readonly looked_until: string | null
}
