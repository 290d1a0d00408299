import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { EXCEPTIONS } from './cluster/exceptions.ts'

it('every exception of the suites on a cluster names a test', async () => {
  const root = new URL('../', import.meta.url)
  const files = (await readdir(root, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('exceptions.ts'),
  )
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, root), 'utf8')))
  const unknown = EXCEPTIONS.filter(({ test }) => !texts.some((text) => text.includes(test)))
  expect(unknown).toEqual([])
})
