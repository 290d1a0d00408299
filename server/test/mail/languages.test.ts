import type { Locale } from '@florin/shared/locales.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mailsTo, WITH_MAIL } from '../setup/mails.ts'
import { createPerson } from '../setup/people.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
})
afterAll(() => t.close())

const localesOf = async (email: string) => (await mailsTo(t, email)).map(({ locale }) => locale)

it.each<{ own: Locale | null; store: Locale | null; expected: Locale }>([
  { own: 'zh', store: 'fr', expected: 'zh' },
  { own: null, store: 'fr', expected: 'fr' },
  { own: null, store: null, expected: 'en' },
])(
  'a person with the language $own of a store with the language $store is invited in $expected',
  async ({ own, store, expected }) => {
    const shop = await t.createStore({ locale: store })
    const { headers } = await createPerson(t, shop.store, 'owner')
    const email = `new@${shop.store.storeId}.example`
    const body = { email, name: 'New', role: 'cashier', ...(own !== null && { locale: own }) }
    const added = await t.call('POST', '/store/people', headers, body)
    expect(added.status).toBe(200)
    const path = `/store/people/${added.body.data.person_id}/invitation`
    expect((await t.call('POST', path, headers, {})).status).toBe(200)
    expect(await localesOf(email)).toEqual([expected, expected])
  },
)
