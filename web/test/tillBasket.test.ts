import { expect, it } from 'vitest'
import {
  addTip,
  changeQuantity,
  isTooLargeToCharge,
  type Line,
  lineSum,
  productsOf,
  tipsOf,
  totalOf,
} from '../src/till/basket.ts'

const TEA = { name: 'Tea', price: '3.50' }
const CAKE = { name: 'Cake', price: '12.00' }
const NAMES = { custom: 'Custom amount', tip: 'Tip' }

it('adds and removes items one by one, up to 999', () => {
  let lines: readonly Line[] = []
  for (const item of [TEA, CAKE, TEA]) lines = changeQuantity(lines, item, 1)
  expect(lines).toEqual([
    { ...TEA, quantity: 2 },
    { ...CAKE, quantity: 1 },
  ])
  // If the price of an item changes during a sale, the units that are already in it keep the old price.
  const repriced = { name: 'Tea', price: '4.00' }
  expect(changeQuantity(lines, repriced, 1)).toEqual([...lines, { ...repriced, quantity: 1 }])
  expect(changeQuantity(lines, CAKE, -1)).toEqual([{ ...TEA, quantity: 2 }])
  expect(changeQuantity([], CAKE, -1)).toEqual([])
  const manyTeas = [{ ...TEA, quantity: 999 }]
  expect(changeQuantity(manyTeas, TEA, 1)).toEqual(manyTeas)
})

it('adds up items and the typed amount exactly', () => {
  const lines = [{ name: 'Gum', price: '0.10', quantity: 3 }]
  expect(totalOf({ typed: '', lines }, 'USD')).toBe('0.30')
  expect(totalOf({ typed: '12.', lines }, 'USD')).toBe('12.30')
  expect(totalOf({ typed: '', lines: [] }, 'USD')).toBe('0.00')
  expect(totalOf({ typed: '1.255', lines: [] }, 'KWD')).toBe('1.255')
  expect(lineSum({ name: 'Ramen', price: '900.00', quantity: 2 }, 'JPY')).toBe('1800.00')
})

it('rounds tips half up to the minor unit', () => {
  const amounts = (total: string, currency: string) =>
    tipsOf(total, [10, 15], currency).map(({ amount }) => amount)
  expect(amounts('12.50', 'USD')).toEqual(['1.25', '1.88'])
  expect(amounts('905.00', 'JPY')).toEqual(['91.00', '136.00'])
  // A tip that rounds to zero is not offered.
  expect(amounts('0.04', 'USD')).toEqual(['0.01'])
  expect(amounts('0.03', 'USD')).toEqual([])
  expect(addTip('12.50', { percent: 15, amount: '1.88' }, 'USD')).toBe('14.38')
  expect(addTip('12.50', null, 'USD')).toBe('12.50')
})

it('adds up items exactly above the largest amount of a payment, and such a total is too large to charge', () => {
  const car = { name: 'Car', price: '999999999999.99' }
  const total = totalOf({ typed: '1', lines: [{ ...car, quantity: 2 }] }, 'USD')
  expect(total).toBe('2000000000000.98')
  expect(isTooLargeToCharge(total, 'USD')).toBe(true)
  expect(isTooLargeToCharge(car.price, 'USD')).toBe(false)
  const [tip] = tipsOf(total, [10], 'USD')
  expect(tip).toEqual({ percent: 10, amount: '200000000000.10' })
  expect(addTip(total, tip!, 'USD')).toBe('2200000000001.08')
})

it('makes products that add up to the amount, and none for an amount alone', () => {
  const tip = { percent: 10, amount: '1.25' }
  const single = (name: string, price: string) => ({ name, price, quantity: 1 })
  const lines = [{ ...TEA, quantity: 2 }]
  const products = (typed: string, items: readonly Line[], chosen: typeof tip | null) =>
    productsOf({ typed, lines: items }, chosen, NAMES, 'USD')
  expect(products('12.5', [], null)).toEqual([])
  expect(products('', lines, null)).toEqual(lines)
  expect(products('5.5', lines, tip)).toEqual([
    ...lines,
    single('Custom amount', '5.50'),
    single('Tip', '1.25'),
  ])
  expect(products('12.5', [], tip)).toEqual([
    single('Custom amount', '12.50'),
    single('Tip', '1.25'),
  ])
})
