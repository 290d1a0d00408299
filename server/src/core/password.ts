import { COMMON_PASSWORDS } from './commonPasswords.ts'

/**
 * Refuses the most common passwords, a single repeated character, and the account's own email address or the part before
 * its @.
 */
export function passwordProblem(password: string, email: string): string | null {
  const typed = password.toLowerCase()
  if (COMMON_PASSWORDS.has(typed) || /^(.)\1*$/u.test(typed)) {
    return 'is one of the most common passwords. Choose another one.'
  }
  const address = email.toLowerCase()
  if (typed === address || typed === address.split('@')[0]) {
    return 'must not be your email address or the part before the @'
  }
  return null
}
