import type { Wallet } from '@florin/contract/wallet.js'
import type { WalletPayment } from '@florin/contract/walletActivity.js'
import type { LinkPreview } from '@florin/contract/walletLinks.js'
import { useMemo, useRef, useState } from 'react'
import { Page } from '../kit/Page.tsx'
import { AmountCard } from './AmountCard.tsx'
import { getLink, payLink } from './api.ts'
import { findUncertain, type Terms } from './attemptKeys.ts'
import { LinkTitle } from './LinkTitle.tsx'
import { useLanguage } from './language.ts'
import { dueOf, typedAmount } from './linkAmounts.ts'
import { linkRefusalOf, linkRefusalOfStatus } from './linkRefusals.ts'
import { useRecovery } from './live.ts'
import { useFocusOnHeading } from './navigation.tsx'
import { PreviewCard } from './PreviewCard.tsx'
import { paidPayment } from './paidPayment.ts'
import { RefusalPage } from './RefusalPage.tsx'
import { type Payable, usePayment } from './usePayment.ts'

type Props = {
  me: Wallet
  linkId: string
  onSignedOut: () => void
  onPaid: (payment: WalletPayment, paidMs: number) => void
}

const payableLink = (me: Pick<Wallet, 'wallet_id' | 'mode'>, id: string): Payable<LinkPreview> => ({
  name: `${me.wallet_id} ${id}`,
  isRepeatable: true,
  getPreview: () => getLink(id),
  pay: (request) => payLink(me.wallet_id, id, request),
  refusalOf: linkRefusalOf,
  refusalOfStatus: (status) => linkRefusalOfStatus(status, me.mode),
  // A link can be paid many times, so its preview doesn't show the result of one request.
  isSettled: () => false,
})

/** Pays a link. If the payer chooses the amount, asks for it first. */
export default function LinkPage({ me, linkId, onSignedOut, onPaid }: Props) {
  const { translate } = useLanguage()
  const { wallet_id, mode } = me
  const payable = useMemo(() => payableLink({ wallet_id, mode }, linkId), [wallet_id, mode, linkId])
  const [typed, setTyped] = useState('')
  const { state, retry, isRetrying, load, submit, dismissNote } = usePayment(payable, {
    onSignedOut,
    onPaid: (receipt, preview, paidMs) =>
      onPaid(paidPayment(receipt, dueOf(preview, typed), preview.title), paidMs),
  })
  const [isChoosing, setChoosing] = useState(true)
  /** The earlier attempt with an unknown outcome that the page shows. While the page pays, its own attempt would be found. */
  const uncertain = useRef<Terms | null>(null)
  const note = state.phase === 'ready' ? state.note : null
  const isAmountRefused = note === 'amount'
  useFocusOnHeading(note !== null ? 'again' : `${state.phase} ${isChoosing}`)
  useRecovery(state.phase === 'refused' && state.refusal === 'connectionLost', () => void load())

  const isSandbox = mode === 'sandbox'
  if (state.phase === 'refused') {
    const { refusal, preview } = state
    return (
      <RefusalPage
        refusal={refusal}
        preview={preview && { ...dueOf(preview, typed), amount: amountOf(preview) }}
        isSandbox={isSandbox}
        onRetry={retry}
        isRetrying={isRetrying}
      />
    )
  }
  if (state.phase === 'loading') {
    return (
      <Page title={translate('loading')} isSandbox={isSandbox}>
        {null}
      </Page>
    )
  }
  const { preview } = state
  const canChoose = preview.request_amount.amount === null
  const amount = canChoose ? typedAmount(preview, typed) : null
  const findEarlier = () => findUncertain({ name: payable.name, amount })
  if (state.phase === 'ready') uncertain.current = findEarlier()
  return (
    <Page title={translate('payTo', { store: preview.store.name })} isSandbox={isSandbox}>
      {canChoose && (isChoosing || isAmountRefused) ? (
        <AmountCard
          preview={preview}
          typed={typed}
          isRefused={isAmountRefused}
          onTyped={(next) => {
            setTyped(next)
            setChoosing(true)
            dismissNote()
          }}
          onChosen={() => {
            setChoosing(false)
            dismissNote()
          }}
        />
      ) : (
        <PreviewCard
          due={dueOf(preview, typed)}
          busy={state.phase === 'ready' ? null : state.phase}
          note={note}
          uncertain={uncertain.current}
          about={
            <LinkTitle
              preview={preview}
              onChangeAmount={canChoose ? () => setChoosing(true) : undefined}
              isBusy={state.phase !== 'ready'}
            />
          }
          onPay={(agreed) => {
            // Another tab may have found the outcome, or the key may have expired: paying now could charge the payer again.
            if (uncertain.current !== null && findEarlier() === null) return void load()
            void submit(preview, {
              ...agreed,
              amount,
              rate: preview.request_amount.conversion_rate,
            })
          }}
        />
      )}
    </Page>
  )

  function amountOf(preview: LinkPreview): string | null {
    return typed === '' ? preview.amount : dueOf(preview, typed).amount
  }
}
