import { describe, it } from 'vitest'
import { AMOUNTS } from './amountCases.ts'
import { CALLS, recordCalls } from './callCases.ts'
import { ERRORS } from './errorCases.ts'
import { RETRIES } from './retryCases.ts'
import { type Case, openContexts, type TestContext } from './testContext.ts'
import { WEBHOOKS } from './webhookCases.ts'

// Every client runs the same cases against a real service.

const CASES: readonly (readonly [topic: string, cases: readonly Case[]])[] = [
  ['calls', CALLS],
  ['amounts', AMOUNTS],
  ['errors', ERRORS],
  ['retries', RETRIES],
  ['webhooks', WEBHOOKS],
]

const contexts = openContexts()

describe.each(CASES)('%s', (_, cases) => {
  // The clients run a case at the same time, each in its own shop, because many cases wait for retries.
  it.each(cases)('%s', async (_, run) => {
    const outcomes = await Promise.allSettled(contexts.all.map((context) => runIn(context, run)))
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  })
})

async function runIn(context: TestContext, run: Case[1]): Promise<void> {
  context.proxy.next()
  try {
    await run(context)
  } catch (error) {
    if (error instanceof Error) error.message = `${context.client.language}: ${error.message}`
    throw error
  }
  recordCalls(context)
}
