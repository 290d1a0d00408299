import type { ActivityEntry, WalletStatement } from '@florin/contract/walletActivity.js'
import { csvLine } from '@florin/server/core/csv.js'
import { saveFile } from '../kit/saveFile.ts'
import { LOCAL_TIME_ZONE, parseTime } from '../kit/time.ts'

const localTimeFormat = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'medium',
})

/** Incoming and outgoing amounts have separate columns, so that no amount has a sign. */
const COLUMNS: Record<string, (entry: ActivityEntry) => string | null> = {
  at_utc: ({ at }) => at,
  at_local: ({ at }) => localTimeFormat.format(parseTime(at)),
  time_zone: () => LOCAL_TIME_ZONE,
  kind: ({ kind }) => kind,
  store: ({ store }) => store,
  reference: ({ reference }) => reference,
  note: ({ note }) => note,
  money_in: ({ amount }) => (amount.startsWith('-') ? null : amount),
  money_out: ({ amount }) => (amount.startsWith('-') ? amount.slice(1) : null),
  refund_fee: (entry) => entry.refund_fee,
  currency: ({ currency }) => currency,
}

/** Saves the entries as a CSV file, newest first. */
export function saveCsv({ activity }: WalletStatement, name: string): void {
  const lines = activity.map((entry) =>
    csvLine(Object.values(COLUMNS).map((textOf) => textOf(entry))),
  )
  // Without the byte order mark, some spreadsheets misread Arabic and Chinese.
  const text = `\ufeff${csvLine(Object.keys(COLUMNS))}${lines.join('')}`
  saveFile(new Blob([text], { type: 'text/csv' }), name)
}
