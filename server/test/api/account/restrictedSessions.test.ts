import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  ACCOUNT_KINDS,
  type AccountKind,
  addPasskey,
  call,
  type TestAccount,
} from '../../setup/accounts.ts'
import { type Node, openNode } from '../../setup/anotherNode.ts'
import { refusal } from '../../setup/expected.ts'
import { PASSWORD } from '../../setup/people.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'

let t: TestService
let other: Node
beforeAll(async () => {
  t = await startTestService()
  other = await openNode(t)
})
afterAll(async () => {
  await other.close()
  await t.close()
})

const execute = (sql: string, values: unknown[] = []) =>
  t.database.transaction((tx) => tx.execute(sql, values))

describe.each<AccountKind>(['person', 'operator'])('a session of a %s on two nodes', (kind) => {
  let account: TestAccount
  beforeEach(async () => {
    account = await ACCOUNT_KINDS[kind](t, await t.createStore())
  })

  const readState = async () =>
    (await other.call('GET', `${account.path}/session`, account.headers)).body.data.account
  const list = () =>
    other.call(
      'GET',
      kind === 'person' ? '/store/live/payments' : '/operator/stores',
      account.headers,
    )

  it('can be used on the other node as soon as the password is changed', async () => {
    await execute(`update ${kind} set password_change_required = true where ${kind}_id = $1`, [
      account.id,
    ])
    expect((await list()).body).toEqual(refusal(403, 'Choose your own password first'))
    expect((await readState()).password_change_required).toBe(true)
    const passwords = { current: PASSWORD, new: 'a fresh password 42' }
    expect((await call(t, account, 'POST /password', passwords)).status).toBe(200)
    expect((await readState()).password_change_required).toBe(false)
    expect((await list()).status).toBe(200)
  })

  it('can be used on the other node as soon as an overdue second factor is set up', async () => {
    await execute(`update ${kind} set created_at = now() - interval '8 days'`)
    await execute(
      kind === 'person'
        ? `update store set second_factor_since = jsonb_build_object('manager', now() - interval '8 days')`
        : `insert into security_setting values ('operator_second_factor', now() - interval '8 days')`,
    )
    expect((await list()).body).toEqual(refusal(403, 'Set up a second factor first'))
    expect((await readState()).second_factor_due_at).not.toBeNull()
    await addPasskey(t, account)
    expect((await readState()).second_factor_due_at).toBeNull()
    expect((await list()).status).toBe(200)
  })
})
