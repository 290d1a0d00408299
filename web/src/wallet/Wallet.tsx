import type { Wallet as Me } from '@florin/contract/wallet.js'
import type { WalletPayment } from '@florin/contract/walletActivity.js'
import './wallet.css'
import './pay.css'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { useRoute } from '../kit/router.ts'
import { storedText } from '../kit/storage.ts'
import { ActivityPage } from './ActivityPage.tsx'
import { getMe } from './api.ts'
import { forgetAllKeys } from './attemptKeys.ts'
import { Home } from './Home.tsx'
import { enableOffline } from './install.ts'
import { Loading } from './Loading.tsx'
import { useReadOrder, useRecovery, useWalletChanges } from './live.ts'
import { navigateInstead, useFocusOnHeading, WalletBar } from './navigation.tsx'
import { PayPage } from './PayPage.tsx'
import { type JustPaid, ReceiptPage } from './ReceiptPage.tsx'
import { RefusalPage } from './RefusalPage.tsx'
import { isLoadProblem, type LoadProblem, loadProblemOf, PAGE_REFUSALS } from './refusals.ts'
import { SignIn } from './SignIn.tsx'

// Loaded on demand, because most visits don't need them.
const Scan = lazy(() => import('./Scan.tsx'))
const Activate = lazy(() => import('./Activate.tsx'))
const OpenWallet = lazy(() => import('./OpenWallet.tsx'))
const EnterCode = lazy(() => import('./EnterCode.tsx'))
const LinkPage = lazy(() => import('./LinkPage.tsx'))
const ShopsPage = lazy(() => import('./ShopsPage.tsx'))
const ShopPage = lazy(() => import('./ShopPage.tsx'))
const StatementPage = lazy(() => import('./StatementPage.tsx'))
const AccountPage = lazy(() => import('./account/AccountPage.tsx'))

// Scripts can't read the session cookie, and without a session, a request would be refused. The document says whether its request
// had the cookie. If it comes from the cache, or a link on another site opened it, only the flag says that the payer signed in.
// Safari deletes the flag, but not the cookie, after seven days without a visit.
const wasSessionSent = document.getElementById('app')!.dataset.session !== undefined
const signedInFlag = storedText('florin.wallet')

type Account = Me | 'loading' | 'signedOut' | 'expired' | LoadProblem

export function Wallet() {
  const [account, setAccount] = useState<Account>(
    wasSessionSent || signedInFlag.get('1') !== null ? 'loading' : 'signedOut',
  )
  /** Why the last read of the account failed: its balance may be stale. Null if it succeeded. */
  const [readProblem, setReadProblem] = useState<LoadProblem | null>(null)
  const [justPaid, setJustPaid] = useState<JustPaid | null>(null)
  const [page = 'home', code = ''] = useRoute().path
  const changes = useWalletChanges(typeof account === 'object')
  const startRead = useReadOrder()
  // After the first render, so that the file with the words is cached too: the load event of the page doesn't wait for it.
  useEffect(() => void enableOffline(), [])

  const refresh = useCallback(async () => {
    const isNewest = startRead()
    const response = await getMe()
    if (!isNewest()) return
    setReadProblem(response.ok ? null : loadProblemOf(response.problem.status))
    if (response.ok) {
      return setAccount((before) => {
        // A response that arrives after the session ended does not bring it back.
        if (before === 'signedOut' || before === 'expired') return before
        // Another tab has signed in to another wallet. This tab must not show it.
        const isOther = typeof before === 'object' && before.wallet_id !== response.data.wallet_id
        return isOther ? 'expired' : response.data
      })
    }
    const { status } = response.problem
    if (status !== 401) {
      return setAccount((before) => (typeof before === 'object' ? before : loadProblemOf(status)))
    }
    signedInFlag.remove()
    setAccount((before) => (before === 'loading' ? 'signedOut' : 'expired'))
  }, [startRead])
  // The flag stays set, because another tab can still be signed in.
  const expire = useCallback(() => setAccount('expired'), [])
  useEffect(() => {
    if (account === 'loading') void refresh()
  }, [account, refresh])
  useRecovery(isLoadProblem(account), () => void refresh())
  useFocusOnHeading(typeof account === 'object' ? `${page}/${code}` : '')

  const enter = (me: Me) => {
    signedInFlag.set('1')
    setJustPaid(null)
    setReadProblem(null)
    setAccount(me)
  }
  // Also for a payer who is signed in: the code may be for another wallet.
  if (page === 'activate') {
    return (
      <Suspense fallback={<Loading />}>
        <Activate key={code} code={code} onSignedIn={enter} />
      </Suspense>
    )
  }
  if (account === 'loading') return <Loading />
  if (isLoadProblem(account)) {
    return <RefusalPage refusal={PAGE_REFUSALS[account]} onRetry={() => void refresh()} />
  }
  if (account === 'signedOut' || account === 'expired') {
    if (page === 'open') {
      return (
        <Suspense fallback={<Loading />}>
          <OpenWallet />
        </Suspense>
      )
    }
    return <SignIn hasExpired={account === 'expired'} onSignedIn={enter} />
  }

  const leave = () => {
    signedInFlag.remove()
    forgetAllKeys()
    navigateInstead('')
    setAccount('signedOut')
  }
  const showReceipt = (payment: WalletPayment, paidMs: number) => {
    setJustPaid({ payment, atMs: paidMs })
    navigateInstead(`payment/${payment.payment_id}`)
  }
  const renderPage = () => {
    switch (page) {
      case 'scan':
        return <Scan me={account} />
      case 'account':
        return <AccountPage me={account} refresh={refresh} onSignedOut={leave} />
      case 'shops':
        return <ShopsPage me={account} changes={changes} refresh={refresh} />
      case 'shop':
        return (
          <ShopPage
            key={code}
            me={account}
            storeId={Number(code)}
            changes={changes}
            refresh={refresh}
          />
        )
      case 'statement':
        return <StatementPage me={account} refresh={refresh} />
      case 'type':
        return <EnterCode me={account} />
      case 'activity':
        return <ActivityPage me={account} changes={changes} refresh={refresh} />
      case 'pay':
        // The key resets the state when the code changes.
        return (
          <PayPage key={code} me={account} onSignedOut={expire} onPaid={showReceipt} text={code} />
        )
      case 'link':
        return (
          <LinkPage
            key={code}
            me={account}
            onSignedOut={expire}
            onPaid={showReceipt}
            linkId={code}
          />
        )
      case 'payment':
        return (
          <ReceiptPage
            key={code}
            me={account}
            paymentId={code}
            justPaid={justPaid?.payment.payment_id === code ? justPaid : null}
            changes={changes}
            onSignedOut={expire}
          />
        )
      default:
        return <Home me={account} readProblem={readProblem} changes={changes} refresh={refresh} />
    }
  }
  return (
    <>
      {/* The key closes the previous page, and its camera, immediately. Otherwise they would stay until the next one is loaded. */}
      <Suspense key={page} fallback={<Loading />}>
        {renderPage()}
      </Suspense>
      <WalletBar page={page} />
    </>
  )
}
