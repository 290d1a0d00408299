import { afterAll, beforeAll, expect, it } from 'vitest'
import { urlQrSvg } from '../../../src/platform/qrImages.ts'
import { newLink } from '../../setup/links.ts'
import { changeStore, refusalOf } from '../../setup/merchantCalls.ts'
import { PUBLIC_ORIGIN } from '../../setup/people.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

it('shows the code of a live or sandbox link on any website, without a key', async () => {
  const shop = await t.createStore()
  for (const keys of [shop.live, shop.sandbox]) {
    const id = await newLink(t, keys, { title: 'Tea & <cake>' })
    const { status, text, headers } = await t.call('GET', `/link/${id}/qr.svg`)
    expect(status).toBe(200)
    expect(text).toBe(urlQrSvg(`${PUBLIC_ORIGIN}/link/${id}`, 290, 'Tea & <cake>'))
    expect(text).toContain('<title>Tea &amp; &lt;cake&gt;</title>')
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=3600',
      'cross-origin-resource-policy': 'cross-origin',
    })
  }
})

it('refuses a link of a store while it is suspended', async () => {
  const shop = await t.createStore()
  const id = await newLink(t, shop.live)
  await changeStore(t, shop, { suspended: true })
  expect((await t.call('GET', `/link/${id}/qr.svg`)).body).toEqual({
    status: 404,
    message: 'Link not found',
  })
  await changeStore(t, shop, { suspended: false })
  expect((await t.call('GET', `/link/${id}/qr.svg`)).status).toBe(200)
})

it('refuses an unknown link', async () => {
  const shop = await t.createStore()
  const id = await newLink(t, shop.live)
  const other = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
  for (const linkId of [other, 'lnk_1', encodeURIComponent('<svg>')]) {
    const { status, body } = await t.call('GET', `/link/${linkId}/qr.svg`)
    expect({ status, body }).toEqual(refusalOf(404, 'Link not found'))
  }
})
