import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPerson, type TestPerson } from '../../setup/people.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
  await t.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => t.close())

type Stream = { events: () => number; ended: Promise<void> }

/** Opens the stream of a store. Resolves after the headers. */
const listen = ({ headers }: TestPerson): Promise<Stream> =>
  new Promise((resolve, reject) => {
    const { port } = t.app.server.address() as AddressInfo
    const call = get({ port, host: '127.0.0.1', path: '/store/changes', headers }, (response) => {
      let received = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => (received += chunk))
      const ended = new Promise<void>((end) => response.on('end', end))
      resolve({ events: () => received.match(/^data: changed$/gm)?.length ?? 0, ended })
    })
    call.on('error', reject)
  })

it('ends at the first change after the person is disabled, without a notification', async () => {
  const [disabled, colleague] = [
    await createPerson(t, shop.store, 'manager'),
    await createPerson(t, shop.store, 'cashier'),
  ]
  const [stream, other] = [await listen(disabled), await listen(colleague)]
  const path = `/operator/people/${disabled.personId}`
  expect((await t.call('PATCH', path, t.operator, { disabled: true })).status).toBe(200)
  await t.createPayment(shop.live)
  await stream.ended
  expect(stream.events()).toBe(0)
  await expect.poll(other.events).toBe(1)
})
