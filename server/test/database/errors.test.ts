import { expect, it } from 'vitest'
import {
  DatabaseUnavailable,
  isLockTimeout,
  sqlState,
  translateError,
} from '../../src/database/errors.ts'

it.each([
  ['EPIPE', null, true],
  ['ECONNRESET', null, true],
  ['ETIMEDOUT', null, true],
  ['08006', '08006', true],
  ['57P03', '57P03', true],
  ['53300', '53300', true],
  ['23505', '23505', false],
  ['P0001', 'P0001', false],
  ['40P01', '40P01', false],
])('distinguishes system error codes from SQLSTATEs: %s', (code, state, isUnavailable) => {
  const error = Object.assign(new Error('x'), { code })
  expect([sqlState(error), translateError(error) instanceof DatabaseUnavailable]).toEqual([
    state,
    isUnavailable,
  ])
})

it('takes a PANIC for a lost connection, and no other error with that code', () => {
  const isUnavailable = (severity: string) =>
    translateError(Object.assign(new Error('x'), { code: '58030', severity })) instanceof
    DatabaseUnavailable
  expect(['PANIC', 'ERROR'].map(isUnavailable)).toEqual([true, false])
})

it.each([
  ['58030', 'failed to complete COPY on worker-1:5432', { isUnavailable: true, isStuck: false }],
  [
    'XX000',
    'failure on connection marked as essential: w:5432',
    { isUnavailable: true, isStuck: false },
  ],
  [
    'XX000',
    'terminating connection due to administrator command',
    { isUnavailable: true, isStuck: false },
  ],
  ['XX000', 'canceling statement due to lock timeout', { isUnavailable: false, isStuck: true }],
  ['XX000', 'cache lookup failed', { isUnavailable: false, isStuck: false }],
])('recognizes the errors of Citus workers: %s %s', (code, message, { isUnavailable, isStuck }) => {
  const error = Object.assign(new Error(message), { code })
  expect(translateError(error) instanceof DatabaseUnavailable).toBe(isUnavailable)
  expect(isLockTimeout(error)).toBe(isStuck)
})
