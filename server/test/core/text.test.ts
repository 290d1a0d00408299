import { TEXT_PATTERN } from '@florin/contract/fields.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeHtml, isStorable, normalizePhone } from '../../src/core/text.ts'

const runs = { numRuns: 2_000 }
const pattern = new RegExp(TEXT_PATTERN, 'u')
// Code units instead of code points, to include lone surrogates.
const units = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd7f0, max: 0xe00f })))
  .map((codes) => String.fromCharCode(...codes))

describe('escapeHtml', () => {
  it('escapes the five characters with a meaning in HTML', () => {
    expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
      '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
    )
  })

  it('can be undone for every text', () => {
    const entities: Record<string, string> = {
      amp: '&',
      lt: '<',
      gt: '>',
      quot: '"',
      '#39': "'",
    }
    fc.assert(
      fc.property(fc.oneof(units, fc.stringMatching(/^[<>&"'a;#39]*$/)), (text) => {
        const escaped = escapeHtml(text)
        expect(escaped).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/)
        expect(escaped.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name]!)).toBe(text)
      }),
      runs,
    )
  })
})

describe('isStorable', () => {
  it.each([
    ['', true],
    ['héllo 🦊\n\t\u0001\uffff', true],
    ['a\0b', false],
    ['\ud800', false],
    ['\udc00', false],
    ['a\udc00\ud800b', false],
    ['line\n\ud800', false],
    ['line\n', true],
  ])('%j is %s', (text, expected) => {
    expect(isStorable(text)).toBe(expected)
    expect(pattern.test(text)).toBe(expected)
  })

  it('agrees with the pattern, and with a UTF-8 round trip', () => {
    fc.assert(
      fc.property(units, (text) => {
        const survives = !text.includes('\0') && Buffer.from(text, 'utf8').toString('utf8') === text
        expect(isStorable(text)).toBe(survives)
        expect(pattern.test(text)).toBe(survives)
      }),
      runs,
    )
  })
})

describe('normalizePhone', () => {
  it.each([
    ['+15550100200', '+15550100200'],
    ['+1 (555) 010-0200', '+15550100200'],
    ['+44.20.7946.0000', '+442079460000'],
    ['0044 20 7946 0000', '+442079460000'],
    ['(0044) 20\u00a07946\u20110000', '+442079460000'],
    // Numbers as phones copy them from contacts.
    ['\u202a+44 20 7946 0000\u202c', '+442079460000'],
    ['\u2066+44\u200e 20 7946 0000\u2069', '+442079460000'],
    ['＋442079460000', '+442079460000'],
    ['+1234567', '+1234567'],
    ['+123456789012345', '+123456789012345'],
    ['+123456', null],
    ['+1234567890123456', null],
    ['5550100200', null],
    ['020 7946 0000', null],
    ['', null],
    ['+', null],
    ['00', null],
    ['++15550100200', null],
    ['1+5550100200', null],
    ['+1555010020x', null],
    ['+1555/0100200', null],
    ['+١٢٣٤٥٦٧٨', null],
    ['+1555010\x100', null],
    ['+'.repeat(10_000), null],
    ['1'.repeat(10_000), null],
  ])('parses $0 as $1', (text, expected) => {
    expect(normalizePhone(text)).toBe(expected)
  })

  it('is idempotent, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(units, fc.stringMatching(/^\+?[0-9 ().-]{6,20}$/)), (text) => {
        const phone = normalizePhone(text)
        if (phone !== null) expect(normalizePhone(phone)).toBe(phone)
      }),
      runs,
    )
  })
})
