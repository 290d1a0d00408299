import { useState } from 'react'
import { OwnAccount } from '../kit/account/OwnAccount.tsx'
import { Button, Checkbox } from '../kit/controls.tsx'
import { Facts, useMoneyText } from '../kit/display.tsx'
import { LanguageSelect } from '../kit/Page.tsx'
import { ProblemNote } from '../kit/problems.tsx'
import type { Problem } from '../kit/request.ts'
import { ModeSwitch } from '../kit/store/session.tsx'
import { openDisplay } from './Display.tsx'
import { Frame } from './Frame.tsx'
import { useLanguage } from './language.ts'
import { useSession } from './session.tsx'
import { useSound } from './sound.ts'

/** The signed-in person, the settings of this device, and the security of the account. */
export function AccountPage() {
  const { translate } = useLanguage()
  const moneyText = useMoneyText()
  const { account, mode, setMode, signOut } = useSession()
  const { isSoundOn, setSound } = useSound()
  const [problem, setProblem] = useState<Problem | null>(null)
  const { person, store, refund_cap: cap, may } = account

  function refundText(): string {
    if (!may.includes('refund')) return translate('refundNone')
    if (cap === null) return translate('refundAny')
    return translate('refundUpTo', { cap: moneyText(cap, store.currency) })
  }

  return (
    <Frame title={translate('yourAccount')} back="#home">
      <div className="stack narrow">
        <Facts
          facts={[
            [translate('name'), person.name],
            [translate('email'), <bdi key="email">{person.email}</bdi>],
            [translate('role'), translate(person.role)],
            [translate('store'), store.name],
            [translate('refunds'), refundText()],
          ]}
        />
        <div className="row">
          <span>{translate('mode')}</span>
          <ModeSwitch mode={mode} setMode={setMode} />
        </div>
        <div className="row">
          <span aria-hidden="true">{translate('language')}</span>
          <LanguageSelect />
        </div>
        <Checkbox label={translate('sounds')} isChecked={isSoundOn} onChange={setSound} />
        <Button look="quiet" isWide onClick={openDisplay}>
          {translate('openDisplay')}
        </Button>
        <p className="small soft">{translate('displayHelp')}</p>
        {problem && <ProblemNote problem={problem} />}
        <Button look="quiet" isWide onClick={() => void signOut().then(setProblem)}>
          {translate('signOut')}
        </Button>
        <OwnAccount timeZone={store.time_zone} />
      </div>
    </Frame>
  )
}
