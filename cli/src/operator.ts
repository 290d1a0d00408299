import { randomBytes } from 'node:crypto'
import { buildOperatorApp } from '@florin/server/operatorApp.js'
import { type Problem, Refused, Unreachable } from './failure.ts'
import { commandLineName, withService } from './local.ts'

export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: Record<string, unknown>
  readonly idempotencyKey?: string
}

type Page = Record<string, unknown> & { readonly next_cursor?: string | null }

/**
 * Calls the operator API inside this process, with a temporary token and without a port, so that the same
 * checks and audit log apply. `allPages` follows `next_cursor` to the end.
 */
export async function callOperator(call: Call, { allPages = false } = {}): Promise<unknown> {
  return withService(async ({ service }) => {
    const token = randomBytes(32).toString('base64url')
    const name = commandLineName()
    const app = await buildOperatorApp(service, { token, name })
    const send = async ({ method, path, body, idempotencyKey }: Call): Promise<Page> => {
      const response = await app.inject({
        method,
        url: path,
        headers: {
          authorization: `Bearer ${token}`,
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(body ? { payload: body } : {}),
      })
      const result = response.json<{ message: string; data: Page; errors?: Problem[] }>()
      // With 202 the request waits for an approval, which the data describes.
      if (response.statusCode < 300) return result.data
      if (response.statusCode >= 500) throw new Unreachable(result.message)
      throw new Refused(result.message, result.errors)
    }
    try {
      let page = await send(call)
      while (allPages && page.next_cursor) {
        const body = { ...call.body, cursor: page.next_cursor }
        page = mergePages(page, await send({ ...call, body }))
      }
      return page
    } finally {
      await app.close()
    }
  })
}

/** Merges two pages: concatenates lists, adds numbers, combines booleans with `and`, and otherwise takes the later value. */
function mergePages(before: Page, after: Page): Page {
  const merge = (old: unknown, next: unknown) => {
    if (Array.isArray(old) && Array.isArray(next)) return [...old, ...next]
    if (typeof old === 'boolean' && typeof next === 'boolean') return old && next
    return typeof old === 'number' && typeof next === 'number' ? old + next : next
  }
  return Object.fromEntries(
    Object.entries(after).map(([name, next]) => [name, merge(before[name], next)]),
  )
}
