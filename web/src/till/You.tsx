import { useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { amountText, Facts } from '../kit/display.tsx'
import { LanguageChoice } from '../kit/Page.tsx'
import { ProblemNote } from '../kit/problems.tsx'
import type { Problem } from '../kit/request.ts'
import { ModeSwitch } from '../kit/store/session.tsx'
import { openDisplay } from './Display.tsx'
import { Frame } from './Frame.tsx'
import { useLanguage } from './language.ts'
import { Sessions } from './Sessions.tsx'
import { useSession } from './session.tsx'

/** Who is signed in, where, and what this device is set to. */
export function You() {
  const language = useLanguage()
  const { say, locale } = language
  const { who, mode, setMode, signOut } = useSession()
  const [problem, setProblem] = useState<Problem | null>(null)
  const { person, store, refund_cap: cap, may } = who

  function refundWords(): string {
    if (!may.includes('refund')) return say('refundNone')
    if (cap === null) return say('refundAny')
    return say('refundUpTo', { cap: amountText({ amount: cap, currency: store.currency, locale }) })
  }

  return (
    <Frame title={say('you')} back="#home">
      <div className="stack narrow">
        <Facts
          facts={[
            [say('name'), person.name],
            [say('email'), <bdi key="email">{person.email}</bdi>],
            [say('role'), say(person.role)],
            [say('store'), store.name],
            [say('refunds'), refundWords()],
          ]}
        />
        <div className="setting">
          <span>{say('mode')}</span>
          <ModeSwitch mode={mode} setMode={setMode} />
        </div>
        <div className="setting">
          <span aria-hidden="true">{say('language')}</span>
          <LanguageChoice label={say('language')} {...language} />
        </div>
        <Button look="quiet" isWide onClick={openDisplay}>
          {say('openDisplay')}
        </Button>
        <p className="small soft">{say('displayHelp')}</p>
        <Sessions />
        {problem && <ProblemNote problem={problem} />}
        <Button isWide onClick={() => void signOut().then(setProblem)}>
          {say('signOut')}
        </Button>
      </div>
    </Frame>
  )
}
