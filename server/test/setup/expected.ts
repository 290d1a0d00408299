/** Complete error bodies for comparisons. */
export const refusal = (status: number, message: string) => ({ status, message })

export const invalid = (...errors: readonly (readonly [field: string, message: string])[]) => ({
  status: 400,
  message: 'Validation error',
  errors: errors.map(([field, message]) => ({ field, message })),
})
