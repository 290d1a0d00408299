import type { Wallet } from '@florin/contract/wallet.js'
import type { WalletPayment } from '@florin/contract/walletActivity.js'
import { Page } from '../kit/Page.tsx'
import { parseCode } from './codes.ts'
import { useLanguage } from './language.ts'
import { useRecovery } from './live.ts'
import { useFocusOnHeading } from './navigation.tsx'
import { PreviewCard } from './PreviewCard.tsx'
import { RefusalPage } from './RefusalPage.tsx'
import { isTemporary } from './refusals.ts'
import { usePayment } from './usePayment.ts'

type PayProps = {
  me: Wallet
  onSignedOut: () => void
  onPaid: (payment: WalletPayment) => void
}

export function PayPage({ text, ...rest }: PayProps & { text: string }) {
  const { me } = rest
  const parsed = parseCode(text, me.mode)
  const isSandbox = me.mode === 'sandbox'
  if ('problem' in parsed) return <RefusalPage refusal={parsed.problem} isSandbox={isSandbox} />
  return <Payment {...rest} code={parsed.code} />
}

function Payment({ me, code, onSignedOut, onPaid }: PayProps & { code: string }) {
  const { say } = useLanguage()
  const isSandbox = me.mode === 'sandbox'
  const { state, load, submit, expire } = usePayment(me.wallet_id, code, {
    onSignedOut,
    onPaid,
  })
  useFocusOnHeading(state.at === 'ready' && state.note !== null ? 'again' : state.at)

  useRecovery(state.at === 'refused' && state.refusal === 'lost', () => void load())

  if (state.at === 'refused') {
    const { refusal, preview } = state
    const onRetry = isTemporary(refusal) ? () => void load() : undefined
    return (
      <RefusalPage refusal={refusal} preview={preview} isSandbox={isSandbox} onRetry={onRetry} />
    )
  }
  const title =
    state.at === 'loading' ? say('loading') : say('payTo', { store: state.preview.store.name })
  return (
    <Page title={title} isSandbox={isSandbox}>
      {state.at !== 'loading' && (
        <PreviewCard
          preview={state.preview}
          busy={state.at === 'ready' ? null : state.at}
          note={state.at === 'ready' ? state.note : null}
          onPay={(order) => void submit(state.preview, order)}
          onExpired={expire}
        />
      )}
    </Page>
  )
}
