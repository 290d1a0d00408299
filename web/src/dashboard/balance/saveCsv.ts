type Watch = {
  readonly signal: AbortSignal
  readonly onRows: (rows: number, total: number) => void
}

/**
 * Fetches a CSV file, counts its rows as they come, and saves it when all of them are there. Null where
 * it broke off: half a statement looks like a whole one.
 */
export async function saveCsv(url: string, { signal, onRows }: Watch): Promise<number | null> {
  try {
    const response = await fetch(url, { signal })
    const total = Number(response.headers.get('florin-rows') ?? Number.NaN)
    if (!response.ok || response.body === null || Number.isNaN(total)) return null
    const chunks: BlobPart[] = []
    let ends = 0
    let last = 0
    for (let reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value)
      for (const byte of value) {
        // A row ends with CRLF, and nothing within one does.
        if (byte === 10 && last === 13) ends++
        last = byte
      }
      onRows(Math.max(0, ends - 1), total)
    }
    const rows = ends - 1
    if (rows < total) return null
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
    save(new Blob(chunks, { type: 'text/csv' }), name ?? 'florin.csv')
    return rows
  } catch {
    return null
  }
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser needs it until it has begun to write.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
