import type { Locale } from '@florin/shared/locales.js'
import { wireTime } from './calendar.ts'

/** A person who runs the service. */
export type Operator = {
  readonly operatorId: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  readonly createdAt: Date
  readonly disabledAt: Date | null
  /** The language of mails; null if it is not known. */
  readonly locale: Locale | null
  /** Set until an invited operator has chosen a password. */
  readonly invitedAt: Date | null
}

/** The operator without the password hash, for responses and the audit log. */
export function operatorFields(operator: Operator) {
  return {
    operator_id: operator.operatorId,
    email: operator.email,
    name: operator.name,
    created_at: wireTime(operator.createdAt),
    disabled_at: operator.disabledAt && wireTime(operator.disabledAt),
    invited_at: operator.invitedAt && wireTime(operator.invitedAt),
  }
}

/** The name in the audit log. The suffix distinguishes it from the label of a token. */
export const operatorActor = (email: string) => `${email} (operator)`
