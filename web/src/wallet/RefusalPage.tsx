import { Button } from '../kit/controls.tsx'
import { Card, Icon, Money, useMoneyText } from '../kit/display.tsx'
import { Page } from '../kit/Page.tsx'
import { StoreLogo } from '../kit/StoreLogo.tsx'
import { BackToShop } from './BackToShop.tsx'
import type { Due } from './due.ts'
import { useLanguage } from './language.ts'
import { navigateInstead } from './navigation.tsx'
import { Order } from './Order.tsx'
import type { Refusal } from './refusals.ts'

const ICONS = {
  expired: 'expired',
  linkExpired: 'expired',
  linkPaused: 'cancelled',
  paidByYou: 'completed',
  refunded: 'refunded',
} as const

/** Refusals after which another scan can help. */
const SCAN_AGAIN: readonly Refusal[] = ['notFlorin', 'wrongDigit', 'paymentUnknown']

/** Refusals after which the payer should check the activity. */
const SEE_ACTIVITY: readonly Refusal[] = ['outcomeUnknown', 'receiptUnknown', 'shopUnknown']

/** What could not be paid. The amount is null if the payer chooses it. */
type RefusedDue = Omit<Due, 'amount' | 'pin_needed'> & {
  readonly amount: string | null
  readonly payment_id?: string
  readonly return_url?: string | null
}

type Props = {
  refusal: Refusal
  preview?: RefusedDue | null
  isSandbox?: boolean
  onRetry?: (() => void) | undefined
  isRetrying?: boolean
}

/** Why a payment can't be made or a page can't be shown, and what to do. */
export function RefusalPage({
  refusal,
  preview,
  isSandbox = false,
  onRetry,
  isRetrying = false,
}: Props) {
  const { translate } = useLanguage()
  const moneyText = useMoneyText()
  const icon = refusal in ICONS ? ICONS[refusal as keyof typeof ICONS] : 'warning'
  return (
    <Page
      title={translate(`${refusal === 'failedForBalance' ? 'insufficientBalance' : refusal}Title`)}
      isSandbox={isSandbox}
    >
      <Card>
        {preview && <StoreLogo storeId={preview.store_id} url={preview.store.logo} />}
        <div className="outcome" role="alert">
          <span className={`outcome-icon outcome-${refusal}`}>
            <Icon name={icon} />
          </span>
          {refusal === 'outcomeUnknown' && preview && preview.amount !== null && (
            <>
              <Money amount={preview.amount} currency={preview.currency} isLarge />
              <p className="paid-to">{translate('paidTo', { store: preview.store.name })}</p>
            </>
          )}
          <p>{refusalText()}</p>
        </div>
        {preview && <Order payment={preview} />}
        <div className="stack">
          {onRetry && (
            <Button isWide isBusy={isRetrying} onClick={onRetry}>
              {translate('tryAgain')}
            </Button>
          )}
          {refusal === 'paidByYou' && (
            <Button isWide onClick={() => navigateInstead(`payment/${preview!.payment_id}`)}>
              {translate('seeReceipt')}
            </Button>
          )}
          {SEE_ACTIVITY.includes(refusal) && (
            <Button
              isWide
              look={onRetry ? 'quiet' : 'primary'}
              onClick={() => navigateInstead('activity')}
            >
              {translate('allActivity')}
            </Button>
          )}
          {SCAN_AGAIN.includes(refusal) && (
            <Button isWide onClick={() => navigateInstead('scan')}>
              {translate('scanToPay')}
            </Button>
          )}
          <BackToShop url={preview?.return_url ?? null} isQuiet={refusal === 'paidByYou'} />
          <Button isWide look="quiet" onClick={() => navigateInstead('')}>
            {translate('backToWallet')}
          </Button>
        </div>
      </Card>
    </Page>
  )

  function refusalText(): string {
    if (refusal === 'expired' || refusal === 'failed' || refusal === 'refunded') {
      return translate(`${refusal}Text`)
    }
    if (refusal !== 'insufficientBalance')
      return translate(refusal as Exclude<Refusal, 'insufficientBalance'>)
    const { balance, amount, currency } = preview!
    if (amount === null)
      return translate('insufficientBalanceForAny', { balance: moneyText(balance, currency) })
    return translate('insufficientBalance', {
      balance: moneyText(balance, currency),
      amount: moneyText(amount, currency),
    })
  }
}
