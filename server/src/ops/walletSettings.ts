import type { Locale } from '@florin/shared/locales.js'
import type { CurrencyCode } from '../core/currencies.ts'
import { isLooser, pinLimitsView, type StoredPinLimits } from '../core/pinLimits.ts'
import { walletSubject } from '../core/wallet.ts'
import type { Database } from '../database/database.ts'
import { lock } from '../sql/locks.ts'
import { findWallet, setWalletSettings, type Wallet } from '../sql/wallets.ts'
import { inAuditedTransaction, notDone } from './auditLog.ts'
import { inLockQueue } from './lockQueue.ts'
import { type Origin, payerActor } from './payerActor.ts'
import { recordSecurityEvent } from './securityEvents.ts'

export type SettingsChange = {
  readonly locale: Locale | null
  readonly mailReceipts: boolean | null
  /** The amount is null to remove the limit. */
  readonly pinLimit: { readonly currency: CurrencyCode; readonly amount: bigint | null } | null
}

/** Returns null and changes nothing if a limit would become less strict without the PIN. */
export async function changeWalletSettings(
  database: Database,
  { walletId, publicId, origin }: Pick<Wallet, 'walletId' | 'publicId'> & { origin: Origin },
  { change, isPinVerified }: { change: SettingsChange; isPinVerified: boolean },
): Promise<Wallet | null> {
  const actor = payerActor({ publicId }, origin)
  return inLockQueue(`wallet ${walletId}`, () =>
    inAuditedTransaction<Wallet | null>(database, actor, async (tx) => {
      const at = await lock(tx, { wallets: [walletId] })
      const before = (await findWallet(tx, walletId))!
      const pinLimits = withLimit(before.pinLimits, change.pinLimit, isPinVerified)
      if (pinLimits === null) return notDone(null)
      const after = {
        ...before,
        locale: change.locale ?? before.locale,
        mailReceipts: change.mailReceipts ?? before.mailReceipts,
        pinLimits,
      }
      await setWalletSettings(tx, walletId, after)
      if (change.pinLimit !== null) {
        const details = { setting: 'pin_limit', currency: change.pinLimit.currency }
        const event = { kind: 'setting_changed', accountId: publicId, details } as const
        await recordSecurityEvent(tx, actor, event, at)
      }
      const entry = {
        action: 'wallet.settings',
        subject: walletSubject(before),
        before: settingsOf(before),
        after: settingsOf(after),
      }
      return { result: after, entry }
    }),
  )
}

function withLimit(
  limits: StoredPinLimits,
  change: SettingsChange['pinLimit'],
  isPinVerified: boolean,
): StoredPinLimits | null {
  if (change === null) return limits
  const { currency, amount } = change
  const { [currency]: stored, ...others } = limits
  const before = stored === undefined ? null : BigInt(stored)
  if (isLooser(before, amount) && !isPinVerified) return null
  return amount === null ? others : { ...others, [currency]: String(amount) }
}

const settingsOf = ({ locale, mailReceipts, pinLimits }: Wallet) => ({
  locale,
  mail_receipts: mailReceipts,
  pin_limits: pinLimitsView(pinLimits),
})
