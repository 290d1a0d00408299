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

/**
 * Does what the operator's API does, through the same routes, so that both check and record alike.
 * Within this process: no port, and a token that dies with it.
 */
export async function callOperator({ method, path, body }: Call): Promise<unknown> {
  return withService(async ({ service }) => {
    const token = randomBytes(32).toString('base64url')
    const name = `${userInfo().username} (command line)`
    const app = await buildApp(service, { localOperator: { token, name } })
    try {
      const response = await app.inject({
        method,
        url: path,
        headers: { authorization: `Bearer ${token}` },
        ...(body ? { payload: body } : {}),
      })
      const answer = response.json<{ message: string; data: unknown; errors?: Problem[] }>()
      if (response.statusCode === 200) return answer.data
      if (response.statusCode >= 500) throw new Unreachable(answer.message)
      throw new Refused(answer.message, answer.errors)
    } finally {
      await app.close()
    }
  })
}
