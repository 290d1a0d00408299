import type { ApiResponse, SendRequest } from '../request.ts'

/**
 * Removes a second factor or a session of the signed-in account. Also succeeds if it is already removed, for example in another
 * tab.
 */
export async function removeOwn(request: SendRequest, path: string): Promise<ApiResponse<unknown>> {
  const response = await request(path, { method: 'DELETE' })
  const isMissing = !response.ok && response.problem.status === 404
  return isMissing ? { ok: true, data: null, serverMs: Date.now() } : response
}
