import { saveFile } from '../kit/saveFile.ts'

type Options = {
  /** The id of the session that the page shows. The server refuses the download if the cookie is for another. */
  readonly session: string
  readonly signal: AbortSignal
  /** `total` is null if the server doesn't count the rows. */
  readonly onRows: (rows: number, total: number | null) => void
}

/**
 * Fetches a CSV file and counts its rows during the download. Saves the file only if it is complete, because an
 * incomplete statement looks like a complete one. Returns the number of rows, or null if the download failed or was
 * stopped.
 */
export async function downloadCsv(
  url: string,
  { session, signal, onRows }: Options,
): Promise<number | null> {
  try {
    const response = await fetch(url, { signal, headers: { 'x-florin-session': session } })
    if (!response.ok || response.body === null) return null
    const counted = response.headers.get('florin-rows')
    const total = counted === null ? null : Number(counted)
    const chunks: BlobPart[] = []
    let rowEnds = 0
    let previous = 0
    for (let reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value)
      for (const byte of value) {
        // Rows end with CRLF. Fields never contain it.
        if (byte === 10 && previous === 13) rowEnds++
        previous = byte
      }
      onRows(Math.max(0, rowEnds - 1), total)
    }
    const rows = rowEnds - 1
    if (rows < (total ?? 0)) return null
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
    saveFile(new Blob(chunks, { type: 'text/csv' }), name ?? 'florin.csv')
    return rows
  } catch {
    return null
  }
}
