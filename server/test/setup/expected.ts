import { expect } from 'vitest'

/** A time as the API writes it. */
export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

/** The complete body of a refusal. */
export const refusal = (status: number, message: string) => ({ status, message })

/** The complete body of a validation error. */
export const invalid = (...errors: readonly (readonly [field: string, message: string])[]) => ({
  status: 400,
  message: 'Validation error',
  errors: errors.map(([field, message]) => ({ field, message })),
})
