import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { expect } from 'vitest'
import type { LoadResult } from './load.ts'
import { seedOfRun } from './random.ts'
import type { Verification } from './verify.ts'

/** One row of the table: one part of a run. */
type Row = {
  readonly part: string
  /** The command that reproduces it. */
  readonly command: string
  readonly seed: string
  readonly load: string
  readonly faults: string
  readonly acknowledged: number
  readonly unsuccessful: number
  readonly lost: number
  readonly audit: string
  readonly worstGap: string
}

const HEADINGS: Record<keyof Row, string> = {
  part: 'part',
  command: 'command',
  seed: 'seed',
  load: 'answered requests',
  faults: 'faults',
  acknowledged: 'acknowledged writes',
  unsuccessful: 'no response, 503 or 409',
  lost: 'lost',
  audit: 'audit',
  worstGap: 'longest time without a write',
}
const COLUMNS = Object.keys(HEADINGS) as (keyof Row)[]
const MAX_SHOWN = 10
const BEGIN = '<!-- figures -->'
const END = '<!-- end of figures -->'

/** The row of a checked load. */
export function rowOf(
  part: { readonly part: string; readonly command: string; readonly faults: string },
  load: LoadResult,
  verification: Verification,
): Row {
  return {
    ...part,
    seed: seedOfRun(),
    load: loadOf(load.answered, load.seconds),
    acknowledged: load.writes,
    unsuccessful: load.unanswered + load.busy,
    lost: verification.lost.length,
    audit: auditOf(verification.findings.length),
    worstGap: `${(load.worstGapMs / 1000).toFixed(1)} s`,
  }
}

export const loadOf = (answered: number, seconds: number) =>
  `${answered} (${Math.round(answered / seconds)}/s)`
export const auditOf = (findings: number) => (findings === 0 ? 'clean' : `${findings} findings`)

/** Asserts that nothing is lost, duplicated or unexpected, and that the ledger is sound. */
export function expectSound(load: LoadResult, verification: Verification): void {
  expect(verification.lost).toEqual([])
  expect(verification.duplicated).toEqual([])
  expect(verification.findings).toEqual([])
  expect(load.unexpected.slice(0, MAX_SHOWN)).toEqual([])
  // Each customer has at most one request in flight when it is stopped.
  expect(verification.unacknowledged).toBeLessThanOrEqual(load.customers)
}

/** Stores a row for the table at the end of the run, because each file runs in its own process. */
export async function keepRow(row: Row): Promise<void> {
  await appendFile(process.env.FLORIN_ROWS!, `${JSON.stringify(row)}\n`)
}

export async function readRows(file: string): Promise<Row[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}

export function printRows(rows: readonly Row[]): void {
  const lines = [HEADINGS, ...rows].map((row) => COLUMNS.map((column) => String(row[column])))
  const widths = COLUMNS.map((_, index) => Math.max(...lines.map((cells) => cells[index]!.length)))
  for (const cells of lines) {
    console.log(cells.map((cell, index) => cell.padEnd(widths[index]!)).join('  '))
  }
}

/** Writes rows into the table of the document. Each replaces the older row of its part. */
export async function recordRows(document: string, rows: readonly Row[]): Promise<void> {
  const text = await readFile(document, 'utf8')
  const [before, table, after] = partsOf(text)
  const oldLines = table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
  const byPart = new Map(oldLines.map((line) => [line.split('|')[1]!.trim(), line]))
  for (const row of rows) byPart.set(row.part, lineOf(COLUMNS.map((column) => cellOf(row, column))))
  const head = [lineOf(Object.values(HEADINGS)), lineOf(COLUMNS.map(() => '---'))]
  const lines = [...head, ...byPart.values()].join('\n')
  await writeFile(document, `${before}${BEGIN}\n\n${lines}\n\n${END}${after}`)
}

function partsOf(text: string): [string, string, string] {
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`The document has no lines ${BEGIN} and ${END}`)
  return [text.slice(0, begin), text.slice(begin + BEGIN.length, end), text.slice(end + END.length)]
}

const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const cellOf = (row: Row, column: keyof Row) =>
  column === 'command' ? `\`${row.command}\`` : String(row[column]).replaceAll('|', '/')
