import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOptions, returnUrlOf } from '../src/options.js'

const options = {
  baseUrl: 'https://pay.example.com',
  apiKey: 'key',
  apiSecret: 'very-secret',
  webhookSecret: 'whsec_AAAA',
  webhookUrl: 'https://shop.example.com/hooks/payment/florin_florin',
  returnUrl: 'https://shop.example.com/return',
}

test('each option must be set and valid, and the error prints no secret', () => {
  assert.doesNotThrow(() => checkOptions(options))
  for (const name of Object.keys(options)) {
    for (const value of [undefined, '', 5, 'javascript:alert(1)']) {
      if (value === 'javascript:alert(1)' && !name.endsWith('Url')) continue
      assert.throws(
        () => checkOptions({ ...options, [name]: value }),
        ({ message }: Error) => message.includes(name) && !message.includes('very-secret'),
      )
    }
  }
})

test('a storefront can choose a page of its own site only', () => {
  assert.equal(returnUrlOf(options, undefined), options.returnUrl)
  assert.equal(
    returnUrlOf(options, 'https://shop.example.com/de/danke'),
    'https://shop.example.com/de/danke',
  )
  for (const url of ['https://evil.example.com/', 'javascript:alert(1)', '/return', 5]) {
    assert.throws(() => returnUrlOf(options, url), /must be a page of https:\/\/shop\.example\.com/)
  }
})
