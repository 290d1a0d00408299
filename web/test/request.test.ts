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
