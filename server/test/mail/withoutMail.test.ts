import { expect, it } from 'vitest'
import { startTestService } from '../setup/testService.ts'

it('without mail, a new person gets a password, and password resets and invitations are refused', async () => {
  const withoutMail = await startTestService()
  try {
    const { store } = await withoutMail.createStore()
    const body = { email: 'new@shop.example', name: 'New', role: 'cashier' }
    const path = `/operator/stores/${store.storeId}/people`
    const added = await withoutMail.call('POST', path, withoutMail.operator, body)
    expect(added.body.data).toMatchObject({ invited_at: null, password: expect.any(String) })
    const mailOff = {
      status: 409,
      message:
        'Mail is not set up on this service. The owner or an operator can create a new password instead.',
    }
    const email = { email: 'new@shop.example' }
    expect((await withoutMail.call('POST', '/store/password/forgot', {}, email)).body).toEqual(
      mailOff,
    )
    const again = `/operator/people/${added.body.data.person_id}/invitation`
    expect((await withoutMail.call('POST', again, withoutMail.operator, {})).body).toEqual(mailOff)
  } finally {
    await withoutMail.close()
  }
})
