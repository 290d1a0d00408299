/** The result of a check; for a warning or problem, with the fix. */
export type Finding =
  | { readonly check: string; readonly state: 'ok'; readonly says: string }
  | {
      readonly check: string
      readonly state: 'warning' | 'problem'
      readonly says: string
      readonly todo: string
    }

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says })

export const warning = (check: string, says: string, todo: string): Finding => ({
  check,
  state: 'warning',
  says,
  todo,
})

export const problem = (check: string, says: string, todo: string): Finding => ({
  check,
  state: 'problem',
  says,
  todo,
})
