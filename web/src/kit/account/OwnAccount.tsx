import './account.css'
import { Card } from '../display.tsx'
import { useStaffLanguage } from '../language.tsx'
import { Factors } from './Factors.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { SecurityEvents } from './SecurityEvents.tsx'
import { Sessions } from './Sessions.tsx'

/** Password, second factors, sessions and security events of the signed-in account, in every staff app. */
export function OwnAccount({ timeZone }: { timeZone?: string }) {
  const { translate } = useStaffLanguage()
  return (
    <div className="account stack">
      <Factors timeZone={timeZone} />
      <Card label={translate('changePassword')}>
        <div className="stack">
          <h2>{translate('changePassword')}</h2>
          <PasswordForm />
        </div>
      </Card>
      <Card>
        <Sessions timeZone={timeZone} />
      </Card>
      <Card label={translate('securityEvents')}>
        <h2>{translate('securityEvents')}</h2>
        <SecurityEvents path="account/security-events" timeZone={timeZone} />
      </Card>
    </div>
  )
}
