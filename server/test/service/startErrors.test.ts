import { expect, it } from 'vitest'
import { DatabaseUnavailable } from '../../src/database/errors.ts'
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

it('names the file of a certificate in DATABASE_URL that does not exist', () => {
  const path = '/etc/our ca.pem'
  const missing = Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT', path })
  const url = 'postgres://db/florin?sslmode=verify-full&sslrootcert=/etc/our%20ca.pem'
  expect(explainStartError(missing, { DATABASE_URL: url })).toBe(
    'Cannot read the file /etc/our ca.pem of DATABASE_URL: ENOENT: no such file. Check its path.',
  )
})

it.each([
  [
    { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', message: 'unable to verify the first certificate' },
    /^Cannot verify the certificate of DATABASE_URL: .*NODE_EXTRA_CA_CERTS/,
  ],
  [
    { code: 'ERR_TLS_CERT_ALTNAME_INVALID', message: "Hostname/IP does not match certificate's" },
    /^Cannot verify the certificate of DATABASE_URL: .*check the host name/,
  ],
  [
    { code: '28000', message: 'no pg_hba.conf entry for host "127.0.0.1", no encryption' },
    /sslmode=verify-full/,
  ],
  [{ code: '42501', message: 'permission denied for schema public' }, /alter database/],
  [{ code: '42501', message: 'must be owner of table payment' }, /reassign owned/],
  [{ code: '08P01', message: 'unsupported startup parameter: options' }, /pooler/],
  [{ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: '[::1]' }, /^HOST=\[::1\] is not/],
  [
    { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'db' },
    /^Cannot connect to DATABASE_URL/,
  ],
])('says what to do about %j', (facts, expected) => {
  const env = { HOST: '[::1]', DATABASE_URL: 'postgres://db/florin' }
  expect(explainStartError(Object.assign(new Error(), facts), env)).toMatch(expected)
})

it('names DATABASE_URL if the name that HOST also has is unknown: the database is opened first', () => {
  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND db'), {
    code: 'ENOTFOUND',
    hostname: 'db',
  })
  const env = { HOST: 'db', DATABASE_URL: 'postgres://florin@db:5432/florin' }
  expect(explainStartError(unknown, env)).toMatch(/^Cannot connect to DATABASE_URL/)
})

it('explains the cause if the database is unavailable', () => {
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  const unavailable = new DatabaseUnavailable(cause)
  expect(explainStartError(unavailable, { DATABASE_URL: 'postgres://db/florin' })).toMatch(
    /^Cannot connect to DATABASE_URL: refused/,
  )
})
