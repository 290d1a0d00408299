import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readConfig, SETTINGS } from '../../src/config.ts'

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))

describe('.env.example', () => {
  const lines = readFileSync(`${PROJECT}.env.example`, 'utf8').split('\n')
  const matches = lines
    .map((line) => /^#? ?([A-Z][A-Z_]+)=(.*)$/.exec(line))
    .filter((match) => match !== null)

  it('lists all settings in their order, each once', () => {
    expect(matches.map((match) => match[1])).toEqual([...SETTINGS])
  })

  it('changes nothing if it is used unmodified', () => {
    const env = Object.fromEntries(matches.map((match) => [match[1]!, match[2]!]))
    expect(readConfig(env)).toEqual(readConfig({}))
  })

  it('has the same settings and defaults as docs/settings.md', () => {
    const text = readFileSync(`${PROJECT}docs/settings.md`, 'utf8')
    const rows = [...text.matchAll(/^\| `([A-Z_]+)` \| ([^|]+) \|/gm)]
    expect(rows.map((row) => row[1])).toEqual([...SETTINGS])
    // A default that is not a value, such as "none", has no backticks there and is empty here.
    const defaults = rows.map((row) => /^`(.+)`$/.exec(row[2]!)?.[1] ?? '')
    expect(defaults).toEqual(matches.map((match) => match[2]))
  })
})

it('the code reads no setting of the environment that docs/settings.md does not name', () => {
  const text = readFileSync(`${PROJECT}docs/settings.md`, 'utf8')
  const folders = ['server/src', 'cli/src'].map((folder) => `${PROJECT}${folder}`)
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
  )
  const names = new Set(files.flatMap((code) => code.match(/\bFLORIN_[A-Z_]+\b/g) ?? []))
  expect(names.size).toBeGreaterThan(20)
  expect([...names].filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})
