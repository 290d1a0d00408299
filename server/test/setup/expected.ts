/** The complete body of a refusal. */
export const refusal = (status: number, message: string) => ({ status, message })

/** The complete body of a validation error. */
export const invalid = (...errors: readonly (readonly [field: string, message: string])[]) => ({
  status: 400,
  message: 'Validation error',
  errors: errors.map(([field, message]) => ({ field, message })),
})
