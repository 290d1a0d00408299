import { expect, it } from 'vitest'
import { formatPercent } from '../src/backup/backup.ts'

it('the progress of a backup is a whole percentage below 100', () => {
  expect([0, 1, 2, 3, 4].map((done) => formatPercent(done, 3))).toEqual([
    '0%',
    '33%',
    '66%',
    '99%',
    '99%',
  ])
  expect(formatPercent(0, 0)).toBe('0%')
})
