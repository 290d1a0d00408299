import { describe, expect, it } from 'vitest'
import type { StoreId } from '../../src/core/ids.ts'
import {
  paymentSearches,
  paymentWords,
  prefixQuery,
  searchWords,
  walletSearchWords,
  wordScope,
} from '../../src/core/searchWords.ts'

describe('searchWords', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['  ', []],
    ['Zoë O’NEIL', ['zoe', 'o', 'neil']],
    ['order-17/B', ['order', '17', 'b']],
    ['ada.lovelace@example.com', ['ada', 'lovelace', 'example', 'com']],
    ['tea tea TEA', ['tea']],
    ['Straße İstanbul', ['straße', 'istanbul']],
    ['李小龙，茶', ['李小龙', '茶']],
    ['ＡＢＣ １２', ['abc', '12']],
    [`a'b:*c & d | !e \\ f <-> (g)`, ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['x'.repeat(100), ['x'.repeat(60)]],
  ])('splits %j into %j', (text, words) => {
    expect(searchWords(text)).toEqual(words)
  })

  it('returns at most 60 words', () => {
    expect(searchWords(Array.from({ length: 500 }, (_, n) => `w${n}`).join(' '))).toHaveLength(60)
  })
})

it('takes the words of a payment from its reference, note and client', () => {
  const client = { name: 'Ada', email: 'a@shop.example', phone_dial_code: '+44', phone: '20 79' }
  expect(paymentWords({ referenceId: 'A-1', referenceNote: 'Two teas', client })).toEqual([
    'a',
    '1',
    'ada',
    'shop',
    'example',
    '44',
    '20',
    '79',
    '2079',
    'two',
    'teas',
  ])
  expect(paymentWords({ referenceId: null, referenceNote: null, client: null })).toEqual([])
})

it('matches the beginnings of words of one store and mode', () => {
  const scope = wordScope({ storeId: 12 as StoreId, mode: 'live' })
  expect(prefixQuery(['ann', '17'], scope)).toBe(`'12l:ann':* & '12l:17':*`)
})

it.each([
  ['+44 (0)7700-900', ['4407700900']],
  ['0044 77', ['4477']],
  ['00', ['00']],
  ['Ada 77', ['ada', '77']],
])('a search of wallets for %j has the words %j', (text, words) => {
  expect(walletSearchWords(text)).toEqual(words)
})

it.each([
  ['070 123 45 67', [['070', '123', '45', '67'], ['0701234567']]],
  ['+44 (0)20-79', [['44', '0', '20', '79'], ['4402079']]],
  ['0044 77', [['0044', '77'], ['004477'], ['4477']]],
  ['0701234567', [['0701234567']]],
  ['+4420791234', [['4420791234']]],
  ['004420791234', [['004420791234'], ['4420791234']]],
  ['007', [['007']]],
  ['12.50', [['12', '50']]],
  ['12,50', [['12', '50']]],
  ['Ada 77', [['ada', '77']]],
  ['!', []],
])('a search of payments for %j is for the words %j', (text, searches) => {
  expect(paymentSearches(text)).toEqual(searches)
})
