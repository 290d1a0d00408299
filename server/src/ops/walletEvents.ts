import type { SecurityEventKind } from '../core/securityEvent.ts'
import { walletSubject } from '../core/wallet.ts'
import type { Tx } from '../database/database.ts'
import type { Actor } from './auditLog.ts'
import { recordSecurityEvent } from './securityEvents.ts'

/** Where a request of a payer came from. */
export type Origin = Omit<Actor, 'name'>

/** A payer in the audit log and in security events. The id of a wallet is not personal data. */
export const payerActor = (wallet: { readonly publicId: string }, origin: Origin): Actor => ({
  ...origin,
  name: walletSubject(wallet),
})

/** Records an event of a wallet, caused by its payer or by an operator. */
export async function recordWalletEvent(
  tx: Tx,
  actor: Actor,
  kind: SecurityEventKind,
  {
    publicId,
    at,
    details,
  }: { publicId: string; at: Date; details?: Readonly<Record<string, unknown>> },
): Promise<void> {
  await recordSecurityEvent(tx, actor, { kind, accountId: publicId, details }, at)
}

/** Records a wrong PIN. `wallet` is null if no wallet has the phone number. */
export async function recordWrongPin(
  tx: Tx,
  origin: Origin,
  { wallet, at }: { wallet: { readonly publicId: string } | null; at: Date },
): Promise<void> {
  const actor = wallet === null ? { ...origin, name: 'unknown' } : payerActor(wallet, origin)
  const event = { kind: 'sign_in_failed' as const, accountId: wallet?.publicId ?? null }
  await recordSecurityEvent(tx, actor, event, at)
}
