import type { SignedInPerson } from '@florin/contract/store.js'
import type { Mode } from '@florin/server/core/ids.js'
import { useStaffLanguage } from '../language.tsx'
import { createSession } from '../session.tsx'
import { MODES, modeWord } from './payment.ts'

/** The session of a store's staff, at the till and in the dashboard. */
export const { SessionProvider, useSession } = createSession<SignedInPerson>('store')

type Props = { mode: Mode; setMode: (mode: Mode) => void }

export function ModeSwitch({ mode, setMode }: Props) {
  const { say } = useStaffLanguage()
  return (
    <div className="modes" role="radiogroup" aria-label={say('mode')}>
      {MODES.map((one) => (
        <label key={one} className={`mode mode-${one}`}>
          <input
            type="radio"
            name="mode"
            checked={mode === one}
            onChange={() => setMode(one)}
            className="unseen"
          />
          {say(modeWord(one))}
        </label>
      ))}
    </div>
  )
}
