import { Button } from '../kit/controls.tsx'
import { amountText, Card, Icon } from '../kit/display.tsx'
import { Page } from '../kit/Page.tsx'
import type { Preview } from './api.ts'
import { useLanguage } from './language.ts'
import type { Refusal } from './refusals.ts'
import { goInstead } from './route.ts'

const TITLES = {
  notFlorin: 'notFlorinTitle',
  wrongDigit: 'wrongDigitTitle',
  liveCode: 'otherModeTitle',
  sandboxCode: 'otherModeTitle',
  tooLittle: 'tooLittleTitle',
  failedNow: 'tooLittleTitle',
  expired: 'expiredTitle',
  paidByYou: 'paidByYouTitle',
  paidByOther: 'paidByOtherTitle',
  failed: 'failedTitle',
  refunded: 'refundedTitle',
  suspended: 'suspendedTitle',
  locked: 'lockedTitle',
  tooMany: 'tooManyTitle',
  unknown: 'unknownTitle',
  busy: 'busyTitle',
  lost: 'lostTitle',
  unsure: 'unsureTitle',
  broken: 'brokenTitle',
} as const satisfies Record<Refusal, string>

const ICONS = { expired: 'expired', paidByYou: 'completed', refunded: 'refunded' } as const

type Props = {
  refusal: Refusal
  preview?: Preview | null
  isSandbox?: boolean
  onRetry?: (() => void) | undefined
}

/** What happened and what to do, in place of what was asked for. */
export function Problem({ refusal, preview, isSandbox = false, onRetry }: Props) {
  const language = useLanguage()
  const { say, locale } = language
  const icon = refusal in ICONS ? ICONS[refusal as keyof typeof ICONS] : 'warning'
  return (
    <Page title={say(TITLES[refusal])} language={language} isSandbox={isSandbox}>
      <Card>
        <div className="outcome" role="alert">
          <span className={`outcome-icon outcome-${refusal}`}>
            <Icon name={icon} />
          </span>
          <p>{text()}</p>
        </div>
        <div className="stack">
          {onRetry && (
            <Button isWide onClick={onRetry}>
              {say('tryAgain')}
            </Button>
          )}
          {refusal === 'unsure' && (
            <Button isWide onClick={() => goInstead('activity')}>
              {say('allActivity')}
            </Button>
          )}
          <Button isWide look="quiet" onClick={() => goInstead('')}>
            {say('backToWallet')}
          </Button>
        </div>
      </Card>
    </Page>
  )

  function text(): string {
    if (refusal === 'expired' || refusal === 'failed' || refusal === 'refunded') {
      return say(`${refusal}Text`)
    }
    if (refusal !== 'tooLittle') return say(refusal as Exclude<Refusal, 'tooLittle'>)
    const { balance, amount, currency } = preview!
    return say('tooLittle', {
      balance: amountText({ amount: balance, currency, locale }),
      amount: amountText({ amount, currency, locale }),
    })
  }
}
