import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PaymentMethod } from '@vendure/core'
import { florinPaymentHandler } from '../src/index.js'
import { checkoutUrl, settingsOf } from '../src/settings.js'

test('the admin UI hides the secrets', () => {
  const { apiSecret, webhookSecret, apiKey } = florinPaymentHandler.args
  assert.deepEqual(apiSecret.ui, { component: 'password-form-input' })
  assert.deepEqual(webhookSecret.ui, { component: 'password-form-input' })
  assert.ok(!('ui' in apiKey))
})

test('settings are read from a payment method, without surrounding whitespace', () => {
  const args = [
    { name: 'baseUrl', value: ' https://pay.example.com/ ' },
    { name: 'apiKey', value: 'key\n' },
  ]
  const settings = settingsOf(new PaymentMethod({ handler: { code: 'florin', args } }))
  assert.equal(settings.apiKey, 'key')
  assert.equal(settings.apiSecret, '')
  assert.equal(checkoutUrl(settings, 'pay_1'), 'https://pay.example.com/pay/pay_1')
})
