import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatSeconds } from '../lib/figures.mjs'
import { startProcess } from '../lib/service.mjs'
import { fill } from './fill.mjs'

/** The folder in which filled data is kept for reuse, because filling ten million payments takes half an hour. */
const REUSED_FOLDER = process.env.BENCH_FOLDER

/**
 * Returns a data folder that was filled with this many payments, vacuumed and analyzed. `name` tells reused folders
 * apart.
 */
export async function fillOrReuseFolder(name, payments, { print, cleanups, demoShare }) {
  const folder = REUSED_FOLDER
    ? join(REUSED_FOLDER, `${name}-${payments}`)
    : await mkdtemp(join(tmpdir(), 'florin-bench-'))
  if (!REUSED_FOLDER) cleanups.push(() => rm(folder, { recursive: true, force: true }))
  const known = await readJson(join(folder, 'filled.json'))
  // A second fill would add to the payments of the first.
  if (REUSED_FOLDER && known === null && existsSync(folder)) {
    throw new Error(`${folder} was not filled completely. Delete it and run the benchmark again.`)
  }
  if (known === null) await (await startProcess(folder)).stop()
  const demo = await readJson(join(folder, 'demo.json'))
  const figures = known ?? (await fillFolder({ folder, demo, payments, print, demoShare }))
  const times = `filled in ${formatSeconds(figures.filledMs)}, vacuumed in ${formatSeconds(figures.vacuumMs)}`
  print(`${name}: ${payments} payments, ${times}, ${figures.megabytes} MB`)
  return { folder, demo, figures }
}

async function fillFolder(options) {
  const { folder, payments } = options
  const { filledMs, vacuumMs, bytes } = await fill(options)
  const figures = { payments, filledMs, vacuumMs, megabytes: Math.round(bytes / 1e6) }
  // Written last, to mark a complete folder.
  await writeFile(join(folder, 'filled.json'), JSON.stringify(figures))
  return figures
}

async function readJson(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return null
  }
}
