import { expect, it } from 'vitest'
import { textQrRows } from '../../src/core/qrSymbol.ts'
import { mintTotpSecret, totpUri } from '../../src/core/secondFactor.ts'

it('the URI for an authenticator app has only the first 100 characters of an email address, so that it fits into a QR code', () => {
  const email = `${'🧾'.repeat(250)}@x.y`
  const uri = totpUri(mintTotpSecret(), { issuer: 'Florin', email })
  expect(textQrRows(uri).length).toBeGreaterThan(0)
  expect(uri).toContain(`Florin:${encodeURIComponent('🧾'.repeat(100))}?`)
})

it('names the account by its whole address if that is short', () => {
  const uri = totpUri('ABC', { issuer: 'Florin', email: 'ada@shop.example' })
  expect(uri).toBe('otpauth://totp/Florin:ada%40shop.example?secret=ABC&issuer=Florin')
})
