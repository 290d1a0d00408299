import { describe, expect, it } from 'vitest'
import { percentText } from '../src/numbers.ts'

describe('percentText', () => {
  it.each([
    ['en', '+12.23%'],
    ['es', '+12,23 %'],
    ['fr', '+12,23 %'],
    ['ar', '+12.23%'],
    ['zh', '+12.23%'],
  ] as const)('follows the language %s, with Latin digits', (locale, expected) => {
    const text = percentText(0.12234, locale, { isChange: true, maxDecimals: 2 })
    // Versions of Node differ in the kind of space and the marks of direction.
    expect(text.replace(/\s/g, ' ').replace(/[\u200e\u200f\u061c]/g, '')).toBe(expected)
  })

  it('has a real minus sign, and no sign for no change', () => {
    expect(percentText(-0.5, 'en', { isChange: true })).toBe('\u221250%')
    expect(percentText(0, 'en', { isChange: true })).toBe('0%')
  })
})
