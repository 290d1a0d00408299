import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addTotp } from '../../setup/accounts.ts'
import { invalid } from '../../setup/expected.ts'
import { createOperator } from '../../setup/operators.ts'
import { createPerson } from '../../setup/people.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
})
afterAll(() => t.close())

const get = (path: string, query: Record<string, string>) =>
  t.call('GET', `/operator/${path}?${new URLSearchParams(query)}`, t.operator)

describe('wallets', () => {
  const create = async (name: string, email: string, phone: string, mode = 'live') =>
    (await t.call('POST', '/operator/wallets', t.operator, { mode, name, email, phone })).body.data
      .wallet_id as string
  const find = async (query: Record<string, string>) =>
    (await get('wallets', query)).body.data.wallets.map(
      ({ wallet_id: id }: { wallet_id: string }) => id,
    )

  it('are found by the beginnings of words in the name, email address, phone number and id', async () => {
    const zoe = await create('Zo\u00eb O\u2019Neil', 'zoe.oneil@mail.example', '+44 7700 900 123')
    const zora = await create('Zora Young', 'young@mail.example', '+447700900456', 'sandbox')
    for (const search of [
      'zoe',
      "o'NEIL zo\u00eb",
      'oneil@mail',
      '+44 7700 9001',
      '00447700900123',
      zoe,
    ]) {
      expect(await find({ search }), search).toEqual([zoe])
    }
    for (const search of ['zo', 'MAIL.example', '4477']) {
      expect(await find({ search }), search).toEqual([zoe, zora])
    }
    for (const search of ['zoe young', 'oe', '7700', '!', "'", ':*', '\\', ' ']) {
      expect(await find({ search }), search).toEqual([])
    }
    const first = (await get('wallets', { search: 'zo', limit: '1' })).body.data
    expect(first.wallets).toMatchObject([{ wallet_id: zoe, name: 'Zo\u00eb O\u2019Neil' }])
    const next = { search: 'zo', limit: '1', cursor: first.next_cursor }
    expect((await get('wallets', next)).body.data).toMatchObject({
      wallets: [{ wallet_id: zora }],
      next_cursor: null,
    })
    await t.call('POST', `/operator/wallets/${zoe}/erase`, t.operator)
    expect(await find({ search: 'zoe' })).toEqual([])
  })

  it('are not searched for a text that is too long', async () => {
    expect((await get('wallets', { search: 'x'.repeat(256) })).body).toEqual(
      invalid(['search', 'search must have at most 255 characters']),
    )
  })
})

describe('people', () => {
  const PEOPLE = '/operator/people'
  const find = async (search: string) =>
    (await get('people', { search })).body.data.people.map(({ email }: { email: string }) => email)

  it('are found by the beginnings of words in the name and email address, even after a change of the name', async () => {
    const body = { name: 'Ren\u00e9 M\u00fcller', email: 'RM@corner.example', role: 'cashier' }
    const path = `/operator/stores/${shop.store.storeId}/people`
    const { person_id: id } = (await t.call('POST', path, t.operator, body)).body.data
    for (const search of ['rene', 'M\u00dcLLER ren', 'rm@corner', 'CORNER']) {
      expect(await find(search), search).toEqual(['rm@corner.example'])
    }
    for (const search of ['ene', 'rene nobody', "'", ' ']) {
      expect(await find(search), search).toEqual([])
    }
    await t.call('PATCH', `${PEOPLE}/${id}`, t.operator, { name: 'Ada' })
    expect([await find('muller'), await find('ada')]).toEqual([[], ['rm@corner.example']])
  })

  it('are listed only for a search or an email address', async () => {
    expect((await get('people', {})).body).toEqual(
      invalid(['search', 'search or email is required']),
    )
    const byEmail = await get('people', { email: 'RM@corner.example' })
    const { storeId, name } = shop.store
    expect(byEmail.body.data.people).toMatchObject([{ store_id: storeId, store_name: name }])
  })

  it('and operators show whether they have a second factor', async () => {
    const manager = await createPerson(t, shop.store, 'manager')
    const operator = await createOperator(t)
    const readStates = async () => [
      (await get('people', { search: manager.email })).body.data.people[0].has_second_factor,
      (await get('operators', {})).body.data.operators.find(
        ({ operator_id }: { operator_id: string }) => operator_id === operator.operatorId,
      ).has_second_factor,
    ]
    expect(await readStates()).toEqual([false, false])
    await addTotp(t, { ...manager, id: manager.personId, path: '/store' })
    await addTotp(t, { ...operator, id: operator.operatorId, path: '/operator' })
    expect(await readStates()).toEqual([true, true])
    await t.call('DELETE', `${PEOPLE}/${manager.personId}/factors`, t.operator)
    expect(await readStates()).toEqual([false, true])
  })
})
