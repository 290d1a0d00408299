import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortenName } from '../src/names.js'

test('a long name is shortened to 255 code points, without half of an emoji', () => {
  assert.equal(shortenName('Tea 🫖'), 'Tea 🫖')
  const longest = `${'x'.repeat(254)}🫖`
  assert.equal(shortenName(longest), longest)
  assert.equal(shortenName(`${longest}x`), longest)
})
