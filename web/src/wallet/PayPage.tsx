import type { PaymentPreview, Wallet } from '@florin/contract/wallet.js'
import type { WalletPayment } from '@florin/contract/walletActivity.js'
import { useMemo } from 'react'
import { Page } from '../kit/Page.tsx'
import { getPreview, pay } from './api.ts'
import { parseCode } from './codes.ts'
import { useLanguage } from './language.ts'
import { useRecovery } from './live.ts'
import { useFocusOnHeading } from './navigation.tsx'
import { PreviewCard } from './PreviewCard.tsx'
import { paidPayment } from './paidPayment.ts'
import { RefusalPage } from './RefusalPage.tsx'
import { refusalOf, refusalOfStatus } from './refusals.ts'
import { TimeLeft } from './TimeLeft.tsx'
import { type Payable, usePayment } from './usePayment.ts'

type PayProps = {
  me: Wallet
  onSignedOut: () => void
  onPaid: (payment: WalletPayment, paidMs: number) => void
}

export function PayPage({ text, ...rest }: PayProps & { text: string }) {
  const { me } = rest
  const parsed = parseCode(text, me.mode)
  const isSandbox = me.mode === 'sandbox'
  if ('problem' in parsed) return <RefusalPage refusal={parsed.problem} isSandbox={isSandbox} />
  return <Payment {...rest} code={parsed.code} />
}

const payableByCode = (walletId: string, code: string): Payable<PaymentPreview> => ({
  name: `${walletId} ${code}`,
  isRepeatable: false,
  getPreview: () => getPreview(code),
  pay: (request) => pay(walletId, code, request),
  refusalOf,
  refusalOfStatus,
  isSettled: ({ status }) => status !== 'pending',
})

function Payment({ me, code, onSignedOut, onPaid }: PayProps & { code: string }) {
  const { translate } = useLanguage()
  const isSandbox = me.mode === 'sandbox'
  const payable = useMemo(() => payableByCode(me.wallet_id, code), [me.wallet_id, code])
  const { state, retry, isRetrying, load, recheck, submit, expire } = usePayment(payable, {
    onSignedOut,
    onPaid: (receipt, preview, paidMs) => onPaid(paidPayment(receipt, preview, null), paidMs),
  })
  useFocusOnHeading(state.phase === 'ready' && state.note !== null ? 'again' : state.phase)

  const refusal = state.phase === 'refused' ? state.refusal : null
  useRecovery(refusal === 'connectionLost', () => void load())
  useRecovery(refusal === 'outcomeUnknown', () => void recheck())

  if (state.phase === 'refused') {
    const { preview } = state
    return (
      <RefusalPage
        refusal={state.refusal}
        preview={preview}
        isSandbox={isSandbox}
        onRetry={retry}
        isRetrying={isRetrying}
      />
    )
  }
  const title =
    state.phase === 'loading'
      ? translate('loading')
      : translate('payTo', { store: state.preview.store.name })
  return (
    <Page title={title} isSandbox={isSandbox}>
      {state.phase !== 'loading' && (
        <PreviewCard
          due={state.preview}
          busy={state.phase === 'ready' ? null : state.phase}
          note={state.phase === 'ready' ? state.note : null}
          uncertain={null}
          timeLeft={<TimeLeft preview={state.preview} onExpired={expire} />}
          onPay={(agreed) => void submit(state.preview, { ...agreed, amount: null, rate: null })}
        />
      )}
    </Page>
  )
}
