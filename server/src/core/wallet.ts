/** A wallet in the audit log, as the subject or as the actor. */
export const walletSubject = ({ publicId }: { readonly publicId: string }) => `wallet:${publicId}`

/** The account of a phone number in device tokens and in the counts of wrong PINs, even if no wallet has the number. */
export const guardSubject = (phone: string) => `wallet:${phone}`

const SESSION_ID_BYTES = 16

/** Part of the token's hash. It identifies a session in lists and can't be used to sign in. */
export const sessionIdOf = (tokenHash: Buffer) =>
  `ses_${tokenHash.toString('hex', 0, SESSION_ID_BYTES)}`

/** The part of the hash that an id contains; null if the text is not an id of a wallet session. */
export function parseSessionId(text: string): Buffer | null {
  const match = /^ses_([0-9a-f]{32})$/.exec(text)
  return match && Buffer.from(match[1]!, 'hex')
}

export const MAX_FAVOURITES = 50
export const MAX_STATEMENT_DAYS = 366
export const MAX_STATEMENT_ENTRIES = 2_000
