import { expect, it } from 'vitest'
import { words } from '../../../shared/src/words/delivery/en.ts'
import {
  type DeliveryError,
  deliveryErrorText,
  parseDeliveryError,
} from '../../src/core/deliveryErrors.ts'

const ERRORS = Object.keys(words).flatMap((key) =>
  key.startsWith('deliveryError_') ? [key.slice('deliveryError_'.length) as DeliveryError] : [],
)

it.each(ERRORS)('reads back the error %s', (error) => {
  const text = deliveryErrorText(error, '$& 15')
  const value = text.includes('15') ? '$& 15' : ''
  expect(parseDeliveryError(text)).toEqual({ error, value })
})

it('returns null for any other text', () => {
  expect(parseDeliveryError('EFAULT: bad address')).toBeNull()
  expect(parseDeliveryError('')).toBeNull()
})
