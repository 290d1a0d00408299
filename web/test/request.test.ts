import { getEventListeners } from 'node:events'
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

it('a request leaves no listener on a signal that outlives it', async () => {
  vi.stubGlobal('document', { documentElement: { dataset: {} } })
  vi.stubGlobal('fetch', async () => Response.json({ data: 1 }))
  const { request } = await import('../src/kit/request.ts')
  const { signal } = new AbortController()
  expect(await request('a', { signal })).toMatchObject({ ok: true, data: 1 })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

it('a body that a proxy finds too large keeps its status, and any other page of a proxy counts as no response', async () => {
  vi.stubGlobal('document', { documentElement: { dataset: {} } })
  const { request } = await import('../src/kit/request.ts')
  const statusAfter = async (status: number) => {
    const headers = { 'content-type': 'text/html' }
    vi.stubGlobal('fetch', async () => new Response('<html></html>', { status, headers }))
    const response = await request('a')
    return response.ok ? null : response.problem.status
  }
  expect(await statusAfter(413)).toBe(413)
  // An earlier attempt may have been paid. A refusal would end it, and the next attempt would pay again.
  for (const status of [400, 403, 404, 408, 429, 502]) expect(await statusAfter(status)).toBe(0)
  expect(await statusAfter(200)).toBe(0)
})
