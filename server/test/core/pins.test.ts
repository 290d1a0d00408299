import { describe, expect, it } from 'vitest'
import { isWeakPin, mintPin } from '../../src/core/pins.ts'

describe('a PIN', () => {
  it.each([
    '0000',
    '1111',
    '55555555',
    '1212',
    '123123',
    '12341234',
    '1234',
    '0123',
    '6789',
    '7890',
    '23456',
    '12345678',
    '4321',
    '9876',
    '0987',
    '87654321',
    '1999',
    '1900',
    '2000',
    '2026',
    '2580',
    '1004',
    '5683',
    '112233',
    '147258',
    '159753',
  ])('%s is weak', (pin) => {
    expect(isWeakPin(pin)).toBe(true)
  })

  it.each(['4711', '8052', '1243', '1112', '1211', '2100', '1899', '246810', '805217', '97531864'])(
    '%s is not weak',
    (pin) => {
      expect(isWeakPin(pin)).toBe(false)
    },
  )

  it('that is generated has six digits and is not weak', () => {
    const pins = Array.from({ length: 5000 }, mintPin)
    expect(pins.filter((pin) => isWeakPin(pin) || !/^\d{6}$/.test(pin))).toEqual([])
  })
})
