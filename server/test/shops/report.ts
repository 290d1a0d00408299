import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Row = Record<string, string | number>

/** Stores a row for the table at the end of the run, because each file runs in its own process. */
export async function keepRow(row: Row): Promise<void> {
  await appendFile(process.env.FLORIN_SHOP_ROWS!, `${JSON.stringify(row)}\n`)
}

/** Prints one table for all shops at the end. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-shop-rows-'))
  const file = join(folder, 'rows')
  process.env.FLORIN_SHOP_ROWS = file
  return async () => {
    const text = await readFile(file, 'utf8').catch(() => '')
    await rm(folder, { recursive: true })
    const rows = text.split('\n').filter((line) => line !== '')
    if (rows.length > 0) console.table(rows.map((line): Row => JSON.parse(line)))
  }
}
