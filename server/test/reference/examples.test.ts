import { expect, it } from 'vitest'
import { readExamples } from '../../src/pages/reference/examples.ts'
import { DEFINITIONS } from './definitions.ts'
import { recordEveryCall } from './recordEveryCall.ts'
import { recordCurl, recordLanguage } from './recordLanguages.ts'
import { findTypeProblems } from './typeProblems.ts'
import { RECEIVING } from './webhookExample.ts'

it('every example runs, gets the same response in each language, and matches the stored one', async () => {
  const everyCall = await recordEveryCall()
  const curl = await recordCurl()
  const typescript = await recordLanguage('typescript')
  const python = await recordLanguage('python')
  const php = await recordLanguage('php')
  const calls = { ...everyCall }
  for (const [index, { operationId, logged }] of DEFINITIONS.entries()) {
    const { answer, body } = curl.answers[index]!
    expect(answer.status, operationId).toBe(200)
    calls[operationId] = {
      sources: {
        curl: curl.sources[index]!,
        typescript: typescript.calls[index]!.source,
        python: python.calls[index]!.source,
        php: php.calls[index]!.source,
      },
      answer,
    }
    if (answer.type !== 'application/json') continue
    const expected = JSON.parse(body)
    expect(JSON.parse(python.calls[index]!.printed), operationId).toEqual(expected)
    expect(JSON.parse(php.calls[index]!.printed), operationId).toEqual(expected)
    const inSdk = logged?.(expected.data) ?? [expected.data]
    expect(JSON.parse(typescript.calls[index]!.printed), operationId).toEqual(inSdk)
  }
  for (const { image } of [curl, typescript, python, php]) {
    expect(image.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  }

  const output = /^payment\.completed pay_\w+\nrefused\n?$/
  expect(python.verified).toMatch(output)
  expect(php.verified).toMatch(output)
  expect(JSON.parse(typescript.verified).join(' ')).toMatch(/^payment\.completed pay_\w+ refused$/)

  const recorded = {
    calls,
    webhook: {
      request: curl.event,
      sources: Object.fromEntries(
        Object.entries(RECEIVING).map(([language, { source }]) => [language, source.split('\n')]),
      ),
    },
  }
  await expect(`${JSON.stringify(recorded, null, 1)}\n`).toMatchFileSnapshot(
    '../../../docs/reference/examples.json',
  )
}, 180_000)

it('the TypeScript of the examples compiles under strict rules', async () => {
  const { calls, webhook } = await readExamples()
  const programs = [...Object.values(calls), webhook].flatMap(({ sources: { typescript } }) =>
    typescript === undefined ? [] : [typescript.join('\n')],
  )
  expect(programs).toHaveLength(DEFINITIONS.length + 1)
  expect(await findTypeProblems(programs)).toBe('')
})
