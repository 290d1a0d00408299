import { expect, it } from 'vitest'
import { problemsOf } from './setup/lint.ts'

it('the linter refuses promises that are not awaited, and awaiting other values', async () => {
  const problems = await problemsOf('lost.ts', [
    'declare function onPaid(listener: () => void): void',
    'async function save(): Promise<void> {}',
    'save()',
    'onPaid(async () => save())',
    'await 1',
    'await save()',
  ])
  expect(problems).toEqual([
    '3: typescript(no-floating-promises)',
    '4: typescript(no-misused-promises)',
    '5: typescript(await-thenable)',
  ])
})
