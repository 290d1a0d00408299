import type { Locale } from '@florin/shared/locales.js'

/** What the accounts of people of stores and of operators have in common. */
export type AccountBase = {
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  /** Another person chose or saw the password. */
  readonly passwordChangeRequired: boolean
  /** The last sign-in; null before the first one. */
  readonly signedInAt: Date | null
  readonly createdAt: Date
  readonly disabledAt: Date | null
  /** The language of emails; null if it is not known. */
  readonly locale: Locale | null
  /** The time of the latest invitation. Null without one, and once the password was chosen or reset. */
  readonly invitedAt: Date | null
}
