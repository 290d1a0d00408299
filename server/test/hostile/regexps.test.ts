import { afterAll, beforeAll, expect, it } from 'vitest'
import { parts, readDocument } from '../openapi/contract.ts'
import { problemsOf } from '../setup/lint.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

it('the linter refuses regular expressions with super-linear time', async () => {
  const problems = await problemsOf('slow.mjs', [
    'header.split(/\\s*,\\s*/)',
    "url.replace(/\\/+$/, '')",
    '/^(a+)+$/.test(text)',
    '/^\\s*(.*?)\\s*$/.test(text)',
    '/^[a-z]+$/.test(text)',
  ])
  expect(problems).toEqual([
    '1: regexp(no-super-linear-move)',
    '2: regexp(no-super-linear-move)',
    '3: regexp(no-super-linear-backtracking)',
    '4: regexp(no-super-linear-backtracking)',
  ])
})

it('no pattern of a schema takes more than linear time', async () => {
  const patterns = new Set<string>()
  for (const part of parts(await readDocument(t))) {
    if (typeof part.pattern === 'string') patterns.add(part.pattern)
  }
  expect(patterns.size).toBeGreaterThan(8)
  const lines = [...patterns].map((pattern) => `new RegExp(${JSON.stringify(pattern)}, 'u')`)
  expect(await problemsOf('patterns.mjs', lines)).toEqual([])
})
