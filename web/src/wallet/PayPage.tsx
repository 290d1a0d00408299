import { Page } from '../kit/Page.tsx'
import type { Me } from './api.ts'
import { readCode } from './codes.ts'
import { useLanguage } from './language.ts'
import { PreviewCard } from './PreviewCard.tsx'
import { Problem } from './Problem.tsx'
import { ReceiptPage } from './ReceiptPage.tsx'
import { mayPass } from './refusals.ts'
import { useFocusOnHeading } from './route.ts'
import { usePayment } from './usePayment.ts'

type Props = { me: Me; onSignedOut: () => void; text: string }

export function PayPage({ me, onSignedOut, text }: Props) {
  const read = readCode(text, me.mode)
  const isSandbox = me.mode === 'sandbox'
  if ('problem' in read) return <Problem refusal={read.problem} isSandbox={isSandbox} />
  return <Payment me={me} code={read.code} onSignedOut={onSignedOut} />
}

type PaymentProps = { me: Me; code: string; onSignedOut: () => void }

function Payment({ me, code, onSignedOut }: PaymentProps) {
  const language = useLanguage()
  const { say } = language
  const isSandbox = me.mode === 'sandbox'
  const { state, load, payNow, expire } = usePayment(me.wallet_id, code, onSignedOut)
  useFocusOnHeading(state.at === 'ready' && state.note !== null ? 'again' : state.at)

  if (state.at === 'paid') return <ReceiptPage receipt={state.receipt} isSandbox={isSandbox} />
  if (state.at === 'refused') {
    const { refusal, preview } = state
    const onRetry = mayPass(refusal) ? () => void load() : undefined
    return <Problem refusal={refusal} preview={preview} isSandbox={isSandbox} onRetry={onRetry} />
  }
  const title =
    state.at === 'loading' ? say('loading') : say('payTo', { store: state.preview.store.name })
  return (
    <Page title={title} language={language} isSandbox={isSandbox}>
      {state.at !== 'loading' && (
        <PreviewCard
          preview={state.preview}
          busy={state.at === 'ready' ? null : state.at}
          note={state.at === 'ready' ? state.note : null}
          onPay={(gift) => void payNow(state.preview, gift)}
          onExpired={expire}
        />
      )}
    </Page>
  )
}
