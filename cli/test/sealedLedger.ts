import { Secret } from 'otpauth'
import { expect } from 'vitest'
import { hashToken } from '../../server/src/core/ids.ts'
import { encryptSecret } from '../../server/src/core/secrets.ts'
import { openDatabase } from '../../server/src/database/database.ts'
import { sealAuditLog } from '../../server/src/ops/auditChain.ts'
import { erasePayer } from '../../server/src/ops/erasure.ts'
import { createMailQueue } from '../../server/src/ops/mail.ts'
import {
  isPepperValid,
  isSecretKeyValid,
  rotateWebhookSecret,
} from '../../server/src/ops/secrets.ts'
import { activateTotp, insertTotp } from '../../server/src/sql/factors.ts'
import { startOldLedger } from '../../server/test/setup/oldLedger.ts'

export const ACTOR = { name: 'test', requestId: null }
export const TOTP_SECRET = new Secret({ size: 20 }).base32

/** Webhook secrets, an authenticator app, an email, sealed days, an archived month, and a log with personal and erased data. */
export async function startSealedLedger() {
  const ledger = await startOldLedger()
  const { t, shop, folder } = ledger
  const { secretKey, pepper } = t.service
  const fingerprintOf = (bytes: Buffer) => hashToken(bytes.toString('base64'))
  expect(await isSecretKeyValid(t.database, fingerprintOf(secretKey))).toBe(true)
  expect(await isPepperValid(t.database, fingerprintOf(pepper))).toBe(true)
  const live = { storeId: shop.store.storeId, mode: 'live' } as const
  await rotateWebhookSecret(t.database, ACTOR, live, secretKey)
  const mail = createMailQueue({ isEnabled: true, secretKey, onCommit: () => {} })
  const at = new Date()
  await t.database.transaction(async (tx) => {
    await insertTotp(tx, 'opr_1', encryptSecret(TOTP_SECRET, secretKey))
    await activateTotp(tx, 'opr_1', at)
    await mail.add(tx, [{ to: 'ops@example.com', locale: 'en', content: { template: 'test' } }], at)
  })
  // More rows than are read at a time.
  await ledger.client.query(
    `insert into mail (mail_id, recipient, template, locale, content, created_at, due_at)
     select 'mail_' || n, recipient, template, locale, content, created_at, due_at
     from mail, generate_series(1, 1000) n`,
  )
  await ledger.archive()
  for (const phone of ['+447700901001', '+447700901002']) {
    const body = { mode: 'live', name: 'Ada', email: 'ada@example.com', phone }
    await t.call('POST', '/operator/wallets', t.operator, body)
  }
  await sealAuditLog(t.database, secretKey)
  const [last] = await ledger.rowsOf('select max(wallet_id) as id from wallet')
  await erasePayer(t.database, ACTOR, { walletId: last.id } as never)
  await sealAuditLog(t.database, secretKey)
  const key = secretKey.toString('base64')
  const env: Record<string, string> = {
    DATABASE_URL: t.databaseUrl,
    FLORIN_DATA: folder,
    FLORIN_PEPPER: pepper.toString('base64'),
    FLORIN_SECRET_KEY: key,
  }
  // A connection that the command does not count as a process of Florin.
  const database = openDatabase({
    url: t.databaseUrl,
    poolSize: 1,
    poolTimeoutMs: 5_000,
    applicationName: 'test',
  })
  await t.app.close()
  await t.service.close()
  return { ledger, key, env, database }
}
