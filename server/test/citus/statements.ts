import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { asDistributed, checkStatement, PLACES, type Place } from './checkStatement.ts'
import { EVERYWHERE } from './everywhere.ts'
import { readTables } from './tables.ts'
import { readFunctions } from './volatility.ts'

const GUIDE = new URL('../../../docs/scale.md', import.meta.url)
const BEGIN = '<!-- statements -->\n'
const END = '<!-- end of statements -->\n'

/**
 * Runs after all tests. Checks every statement that the service sent, and compares the table in docs/scale.md with
 * the result. Returns the problems. With `renew` it rewrites the table instead of comparing it. With `isFullRun` all
 * tests ran, so every statement of the table must have been sent.
 */
export async function checkRecorded(
  folder: string,
  adminUrl: string,
  { renew, isFullRun }: { renew: boolean; isFullRun: boolean },
): Promise<string[]> {
  const tables = await readTables()
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  let functions: Awaited<ReturnType<typeof readFunctions>>
  try {
    functions = await readFunctions({
      query: async <Row>(text: string) => (await client.query(text)).rows as Row[],
    })
  } finally {
    await client.end()
  }

  const wrong: string[] = []
  const found = new Map<string, Place>()
  const recorded = await readRecorded(folder)
  for (const [text, sender] of recorded) {
    const sql = asDistributed(text)
    const { place, problems } = await checkStatement(sql, tables, functions)
    // Of several forms of a statement, the one with the most shards counts.
    const known = found.get(sender)
    if (known === undefined || rank(place) > rank(known)) found.set(sender, place)
    const all = [...problems]
    if (place === 'every shard' && !(sender in EVERYWHERE)) {
      all.push('queries every shard, and everywhere.ts gives no reason')
    }
    for (const problem of all) wrong.push(`${sender}: ${problem}\n${sql}`)
  }
  return [...wrong, ...(await compareGuide(found, { renew, isFullRun }))]
}

// In increasing order of shards.
const rank = (place: Place) => ['coordinator', 'every copy', ...PLACES.slice(0, 3)].indexOf(place)

async function readRecorded(folder: string): Promise<Map<string, string>> {
  const files = await readdir(folder)
  const parts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return new Map(parts.flatMap((part) => JSON.parse(part) as [string, string][]))
}

async function compareGuide(
  found: ReadonlyMap<string, Place>,
  { renew, isFullRun }: { renew: boolean; isFullRun: boolean },
): Promise<string[]> {
  const guide = await readFile(GUIDE, 'utf8')
  const [before, rest] = guide.split(BEGIN)
  const [table, after] = (rest ?? '').split(END)
  if (after === undefined) return [`docs/scale.md has no part between ${BEGIN}and ${END}`]
  const listed = readTable(table!)
  const removed = [...listed.keys()].filter((sender) => !isKnownSender(sender))
  if (renew) {
    const merged = new Map([...listed, ...found].filter(([sender]) => !removed.includes(sender)))
    await writeFile(GUIDE, `${before}${BEGIN}${writeTable(merged)}${END}${after}`)
    return []
  }
  const missing = [...found].filter(([sender, place]) => listed.get(sender) !== place)
  const unseen = isFullRun ? [...listed.keys()].filter((sender) => !found.has(sender)) : []
  return [
    ...unseen.map(
      (sender) =>
        `docs/scale.md lists ${sender}, but no test sent it, so it was not checked. Test it, or remove it from the table.`,
    ),
    ...missing.map(
      ([sender, place]) => `docs/scale.md does not list ${sender} under: ${place}. ${RENEW}`,
    ),
    ...removed.map((sender) => `docs/scale.md lists ${sender}, which does not exist. ${RENEW}`),
  ]
}

const RENEW = 'Update it: npm test -- <part of the path of a test that sends it> -u'

const SOURCES = ['sql', 'database'].map((name) => new URL(`../../src/${name}/`, import.meta.url))

/** Whether a source file contains the function. */
function isKnownSender(sender: string): boolean {
  const [file, name] = sender.split(' ') as [string, string]
  const path = SOURCES.map((folder) => new URL(file, folder)).find((url) => existsSync(url))
  return path !== undefined && new RegExp(`\\b${name}\\b`).test(readFileSync(path, 'utf8'))
}

const HEAD = ['file', ...PLACES]

function writeTable(places: ReadonlyMap<string, Place>): string {
  const files = [...new Set([...places.keys()].map((sender) => sender.split(' ')[0]!))].sort()
  const rows = files.map((file) => {
    const at = (place: Place) =>
      [...places]
        .filter(([sender, senderPlace]) => sender.startsWith(`${file} `) && senderPlace === place)
        .map(([sender]) => sender.split(' ')[1]!)
        .sort()
        .join(', ')
    return [file, ...PLACES.map(at)]
  })
  return [HEAD, HEAD.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('')
}

function readTable(table: string): Map<string, Place> {
  const rows = table.trim().split('\n').slice(2)
  return new Map(
    rows.flatMap((row) => {
      const [file, ...cells] = row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
      return cells.flatMap((cell, index) =>
        cell
          .split(', ')
          .filter((name) => name !== '')
          .map((name): [string, Place] => [`${file} ${name}`, PLACES[index]!]),
      )
    }),
  )
}
