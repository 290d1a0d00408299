/** The result of a check; unless it is `ok`, with the fix. A note is about something that a demo doesn't need. */
export type Finding =
  | { readonly check: string; readonly state: 'ok'; readonly message: string }
  | {
      readonly check: string
      readonly state: 'note' | 'warning' | 'problem'
      readonly message: string
      readonly fix: string
    }

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message })

export const note = (check: string, message: string, fix: string): Finding => ({
  check,
  state: 'note',
  message,
  fix,
})

export const warning = (check: string, message: string, fix: string): Finding => ({
  check,
  state: 'warning',
  message,
  fix,
})

export const problem = (check: string, message: string, fix: string): Finding => ({
  check,
  state: 'problem',
  message,
  fix,
})
