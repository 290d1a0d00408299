import { expect, it } from 'vitest'
import { explainStartError } from '../../src/startErrors.ts'

const systemError = (facts: Partial<NodeJS.ErrnoException>) =>
  Object.assign(new Error(`EACCES: permission denied, ${facts.syscall}`), {
    code: 'EACCES',
    ...facts,
  })

it.each(['listen', 'bind'])('names the port if %s is denied', (syscall) => {
  expect(explainStartError(systemError({ syscall }), { PORT: '80' })).toBe(
    'Permission denied for port 80. Choose a port above 1023.',
  )
})

it('names the file if access to it is denied', () => {
  const denied = systemError({ syscall: 'open', path: '/var/lib/florin/secret.key' })
  expect(explainStartError(denied, { PORT: '80', DATABASE_URL: 'postgres://db/florin' })).toBe(
    'Permission denied for /var/lib/florin/secret.key. The user who runs Florin must be able to read and write it.',
  )
})

it('names DATABASE_URL if access to the socket of the database is denied', () => {
  const denied = systemError({ syscall: 'connect' })
  expect(explainStartError(denied, { DATABASE_URL: 'postgres:///florin' })).toMatch(
    /^Cannot connect to DATABASE_URL: EACCES/,
  )
})
