import { wireTime } from './calendar.ts'

/** A person who runs the service. */
export type Operator = {
  readonly operatorId: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  readonly createdAt: Date
  readonly disabledAt: Date | null
}

/** The operator as it may be shown: without the hash. */
export function operatorFields(operator: Operator) {
  return {
    operator_id: operator.operatorId,
    email: operator.email,
    name: operator.name,
    created_at: wireTime(operator.createdAt),
    disabled_at: operator.disabledAt && wireTime(operator.disabledAt),
  }
}

/** The name in the audit log. The label of a token, which may be any text, can't be mistaken for it. */
export const operatorActor = (email: string) => `${email} (operator)`
