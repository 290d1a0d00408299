import { walletSubject } from '../core/wallet.ts'
import type { Actor } from './auditLog.ts'

/** Where a request of a payer came from. */
export type Origin = Omit<Actor, 'name'>

/**
 * A payer in the audit log and in security events; `unknown` if no wallet has the phone number. The id of a wallet is not
 * personal data.
 */
export const payerActor = (
  wallet: { readonly publicId: string } | null,
  origin: Origin,
): Actor => ({ ...origin, name: wallet === null ? 'unknown' : walletSubject(wallet) })
