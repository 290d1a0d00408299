import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import { buildApp } from '@florin/server/app.js'
import { type Problem, Refused, Unreachable } from './failure.ts'
import { withService } from './local.ts'

export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: Record<string, unknown>
}

type Page = Record<string, unknown> & { readonly next_cursor?: string | null }

/**
 * Does what the operator's API does, through the same routes, so that both check and record alike.
 * Within this process: no port, and a token that dies with it. `toEnd` goes on until there is no next page.
 */
export async function callOperator(call: Call, { toEnd = false } = {}): Promise<unknown> {
  return withService(async ({ service }) => {
    const token = randomBytes(32).toString('base64url')
    const name = `${userInfo().username} (command line)`
    const app = await buildApp(service, { localOperator: { token, name } })
    const ask = async ({ method, path, body }: Call): Promise<Page> => {
      const response = await app.inject({
        method,
        url: path,
        headers: { authorization: `Bearer ${token}` },
        ...(body ? { payload: body } : {}),
      })
      const answer = response.json<{ message: string; data: Page; errors?: Problem[] }>()
      if (response.statusCode === 200) return answer.data
      if (response.statusCode >= 500) throw new Unreachable(answer.message)
      throw new Refused(answer.message, answer.errors)
    }
    try {
      let whole = await ask(call)
      while (toEnd && whole.next_cursor) {
        const body = { ...call.body, cursor: whole.next_cursor }
        whole = joined(whole, await ask({ ...call, body }))
      }
      return whole
    } finally {
      await app.close()
    }
  })
}

/** Lists are one after the other, counts are one, and what is not so of a page is not so of all. */
function joined(before: Page, after: Page): Page {
  const join = (one: unknown, next: unknown) => {
    if (Array.isArray(one) && Array.isArray(next)) return [...one, ...next]
    if (typeof one === 'boolean' && typeof next === 'boolean') return one && next
    return typeof one === 'number' && typeof next === 'number' ? one + next : next
  }
  return Object.fromEntries(
    Object.entries(after).map(([name, next]) => [name, join(before[name], next)]),
  )
}
