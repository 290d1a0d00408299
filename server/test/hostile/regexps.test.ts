import { Linter } from 'eslint'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parts, readDocument } from '../openapi/contract.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

const path = new URL('../../../eslint.config.mjs', import.meta.url).href
const { default: config }: { default: Linter.Config[] } = await import(/* @vite-ignore */ path)

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

/** Lints one line of JavaScript with the project's configuration. */
function problemsOf(code: string): string[] {
  const { plugins, rules } = config.find((one) => one.plugins?.regexp)!
  const found = new Linter().verify(code, [{ plugins: plugins!, rules: rules! }])
  return found.map(({ ruleId, message }) => ruleId ?? message)
}

it.each([
  ['header.split(/\\s*,\\s*/)', 'regexp/no-super-linear-move'],
  ["url.replace(/\\/+$/, '')", 'regexp/no-super-linear-move'],
  ['/^(a+)+$/.test(text)', 'regexp/no-super-linear-backtracking'],
  ['/^\\s*(.*?)\\s*$/.test(text)', 'regexp/no-super-linear-backtracking'],
])('the linter refuses %s', (code, rule) => {
  expect(problemsOf(code)).toContain(rule)
})

it('no pattern of a schema takes more than linear time', async () => {
  const patterns = new Set<string>()
  for (const part of parts(await readDocument(t))) {
    if (typeof part.pattern === 'string') patterns.add(part.pattern)
  }
  expect(patterns.size).toBeGreaterThan(8)
  const slow = [...patterns].flatMap((pattern) =>
    problemsOf(`new RegExp(${JSON.stringify(pattern)}, 'u')`).map((rule) => `${pattern}: ${rule}`),
  )
  expect(slow).toEqual([])
})
