import type { REFUSALS, Refusal } from '@florin/contract/refusals.js'
import type { Translate } from '@florin/shared/translate.js'
import { Icon } from './display.tsx'
import { useOtherErrors } from './Form.tsx'
import { fieldText } from './fieldText.ts'
import { type StaffWords, useStaffLanguage } from './language.tsx'
import { isAtWrongAddress, publicUrl } from './publicUrl.ts'
import type { Problem } from './request.ts'

/** No response arrived, or a proxy got none from the server. The request may have been carried out. */
const NO_RESPONSE: readonly number[] = [0, 502, 504]

type Message = (typeof REFUSALS)[Refusal][1]

/** Refusals with a text of their own. Others get the text of their status. The types keep the messages equal to the server's. */
const REASONS = {
  'Too many wrong passwords. Try again later or ask for a new one.': 'locked',
  'An account can have 20 passkeys. Remove one first.': 'passkeyLimit',
  'An authenticator app is already set up. Remove it first.': 'totpAlreadyActive',
  'Start the setup with POST /store/account/totp or POST /operator/account/totp first':
    'totpSetupEnded',
  'Payment has already been refunded': 'already_refunded',
  'Only completed payments can be refunded': 'not_completed',
  'Insufficient store balance for refund': 'insufficient_store_balance',
  'This store is suspended': 'storeSuspended',
  'The first request with this Idempotency-Key is still running': 'stillRunning',
  'This Idempotency-Key was used with a different request. For a new request, use a new key.':
    'keyReused',
  'Only the operator can change the role of an owner': 'ownerRoleByOperator',
  'The balance does not cover this amount': 'balanceNotCovered',
  'The balance would become too large': 'balanceTooLarge',
  'Three invitations were sent within an hour. Try again later.': 'invitationLimit',
  'This store has sent 50 invitations within 24 hours. Try again later, or add people with a password.':
    'invitationLimit',
  'This store has added 200 people within 24 hours. Try again later.': 'peopleLimit',
  'This store has created 100 API keys within 24 hours. Try again later, or rotate one.':
    'keyLimit',
  'This wallet was unlocked 3 times within 24 hours. Ask an admin, or create an activation code.':
    'unlockLimit',
  'This wallet got 3 activation codes within 24 hours, or its email address 10 within an hour. Ask an admin to create another.':
    'activationLimit',
  "This is the built-in sandbox wallet. It can't be changed.": 'sandboxWallet',
  'This store has sent 1,000 receipts and requests within 24 hours. Try again later.':
    'storeMailLimit',
  'A logo must be a PNG or JPEG picture': 'imageType',
  'This picture cannot be read': 'imageUnreadable',
  'A logo must be at most 512 pixels wide and high': 'imageTooLarge',
} as const satisfies Partial<Record<Message, keyof StaffWords>>

const hasReason = (message: string): message is keyof typeof REASONS =>
  Object.hasOwn(REASONS, message)

/** The text for a problem as a whole: what happened, and what to do. */
export function problemText(
  problem: Pick<Problem, 'status' | 'message'>,
  translate: Translate<StaffWords>,
): string {
  const { status, message } = problem
  if (isAtWrongAddress(problem)) return translate('wrongAddress', { address: publicUrl() })
  if (hasReason(message)) return translate(REASONS[message])
  if (status === 0) return translate('offline')
  if (status === 401) return translate('sessionEnded')
  if (status === 403) return translate('forbidden')
  if (status === 404) return translate('notFound')
  // Only pictures can exceed the limit of Florin or of a proxy.
  if (status === 413) return translate('imageTooLarge')
  if (status === 429) return translate('tooMany')
  return status >= 500 ? translate('unavailable') : translate('notAccepted')
}

type Props = {
  problem: Problem
  /** The text for status 409, unless the refusal has a text of its own. */
  conflictText?: string | undefined
  /** The text if no response arrived: for a request that may have moved money. */
  noResponseText?: string | undefined
}

/** What went wrong. Problems of fields are shown at the fields, or here if the form doesn't show the field. */
export function ProblemNote({ problem, conflictText, noResponseText }: Props) {
  const language = useStaffLanguage()
  const { translate } = language
  const others = useOtherErrors(problem)
  const isConflict =
    problem.status === 409 && conflictText !== undefined && !hasReason(problem.message)
  const isUnknown = NO_RESPONSE.includes(problem.status) && noResponseText !== undefined
  const isAtFields = problem.errors.length > 0 && others.length === 0
  const textOf = (): string => {
    if (isConflict) return conflictText
    if (isUnknown) return noResponseText
    return isAtFields ? translate('checkFields') : problemText(problem, translate)
  }
  const text = textOf()
  // Several problems can have the same text, which names no field.
  const otherTexts = new Set(others.map(({ message }) => fieldText(message, language)))
  otherTexts.delete(text)
  return (
    <div className="notice tone-failed" role="alert">
      <Icon name="warning" />
      <div>
        <p>{text}</p>
        {[...otherTexts].map((otherText) => (
          <p key={otherText} className="small">
            {otherText}
          </p>
        ))}
      </div>
    </div>
  )
}
