/** The result of a check; unless all is well, with what to do. A note is about something that a demo can do without. */
export type Finding =
  | { readonly check: string; readonly state: 'ok'; readonly says: string }
  | {
      readonly check: string
      readonly state: 'note' | 'warning' | 'problem'
      readonly says: string
      readonly todo: string
    }

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says })

export const note = (check: string, says: string, todo: string): Finding => ({
  check,
  state: 'note',
  says,
  todo,
})

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
