import './account.css'
import { Button } from '../controls.tsx'
import { Notice } from '../display.tsx'
import { useStaffLanguage } from '../language.tsx'
import { Page } from '../Page.tsx'
import { useAccount } from './context.ts'
import { Factors } from './Factors.tsx'
import { PasswordForm } from './PasswordForm.tsx'

/** Shown in place of the app until a temporary password is replaced and an overdue second factor is set up. */
export function FirstSteps() {
  const { translate } = useStaffLanguage()
  const { state, signOut } = useAccount()
  const needsPassword = state.password_change_required
  return (
    <Page title={translate(needsPassword ? 'choosePassword' : 'setUpFactor')} isSandbox={false}>
      <div className="account stack">
        <Notice tone="pending">
          {translate(needsPassword ? 'choosePasswordNote' : 'setUpFactorNote')}
        </Notice>
        {needsPassword ? (
          <div className="card">
            <PasswordForm isForced />
          </div>
        ) : (
          <Factors isForced />
        )}
        <Button look="quiet" isWide onClick={() => void signOut()}>
          {translate('signOut')}
        </Button>
      </div>
    </Page>
  )
}
