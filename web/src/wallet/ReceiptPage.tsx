import type { Wallet } from '@florin/contract/wallet.js'
import type { WalletPayment } from '@florin/contract/walletActivity.js'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { Page } from '../kit/Page.tsx'
import { getPayment } from './api.ts'
import { BackToShop } from './BackToShop.tsx'
import { useLanguage } from './language.ts'
import { useReadOrder, useRecovery } from './live.ts'
import { loadPaidProof } from './loadPaidProof.ts'
import { BackToActivity, navigateInstead, useFocusOnHeading } from './navigation.tsx'
import { ReceiptCard } from './ReceiptCard.tsx'
import { RefusalPage } from './RefusalPage.tsx'
import { isLoadProblem, type LoadProblem, loadProblemOf, PAGE_REFUSALS } from './refusals.ts'

// Loaded while the payer reads the preview. Without it, the receipt is still complete.
const PaidProof = lazy(() => loadPaidProof().catch(() => ({ default: () => <></> })))

/** A payment that was made in this tab, and when, on the clock of this device. */
export type JustPaid = { readonly payment: WalletPayment; readonly atMs: number }

type Props = {
  me: Wallet
  paymentId: string
  /** Null if the receipt is opened later. */
  justPaid: JustPaid | null
  changes: number
  onSignedOut: () => void
}

/** The receipt of a payment. Its URL shows it again later. */
export function ReceiptPage({ me, paymentId, justPaid, changes, onSignedOut }: Props) {
  const { translate } = useLanguage()
  const [payment, setPayment] = useState(justPaid?.payment ?? null)
  const [problem, setProblem] = useState<'receiptUnknown' | LoadProblem | null>(null)
  const startRead = useReadOrder()
  const isSandbox = me.mode === 'sandbox'

  const load = useCallback(async () => {
    const isNewest = startRead()
    const response = await getPayment(paymentId)
    if (!isNewest()) return
    if (response.ok) {
      setPayment(response.data)
      return setProblem(null)
    }
    const { status } = response.problem
    if (status === 401) return onSignedOut()
    setProblem(status === 404 ? 'receiptUnknown' : loadProblemOf(status))
  }, [paymentId, onSignedOut, startRead])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refund changes the receipt.
  useEffect(() => void load(), [load, changes])
  useFocusOnHeading(payment?.status ?? problem ?? 'loading')
  useRecovery(isLoadProblem(problem), () => void load())

  if (payment === null) {
    if (problem === 'receiptUnknown') return <RefusalPage refusal={problem} isSandbox={isSandbox} />
    if (problem !== null) {
      return (
        <RefusalPage
          refusal={PAGE_REFUSALS[problem]}
          isSandbox={isSandbox}
          onRetry={() => void load()}
        />
      )
    }
    return (
      <Page title={translate('loading')} isSandbox={isSandbox}>
        {null}
      </Page>
    )
  }
  return (
    <Page title={translate(payment.status)} isSandbox={isSandbox}>
      {justPaid === null && <BackToActivity />}
      <ReceiptCard
        payment={payment}
        isNew={justPaid !== null}
        proof={
          justPaid !== null &&
          payment.refund === null && (
            <Suspense>
              <PaidProof name={me.name} atMs={justPaid.atMs} />
            </Suspense>
          )
        }
      />
      {justPaid === null ? (
        <div className="after-card">
          <BackToShop url={payment.return_url} isQuiet />
        </div>
      ) : (
        <div className="pay-bar">
          <BackToShop url={payment.return_url} />
          <Button
            isWide
            look={payment.return_url === null ? 'primary' : 'link'}
            onClick={() => navigateInstead('')}
          >
            {translate('done')}
          </Button>
        </div>
      )}
    </Page>
  )
}
