import { wireTime } from './calendar.ts'

/** Somebody who runs the service, and may do everything that an operator can. */
export type Operator = {
  readonly operatorId: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  readonly createdAt: Date
  readonly disabledAt: Date | null
}

/** Everything about an operator that may be shown: never the hash. */
export function operatorFields(operator: Operator) {
  return {
    operator_id: operator.operatorId,
    email: operator.email,
    name: operator.name,
    created_at: wireTime(operator.createdAt),
    disabled_at: operator.disabledAt && wireTime(operator.disabledAt),
  }
}

/** Unlike the label of a token, which may be any word, this cannot be taken for somebody else. */
export const operatorActor = (email: string) => `${email} (operator)`
