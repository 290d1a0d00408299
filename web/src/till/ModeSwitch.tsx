import { useLanguage } from './language.ts'
import type { Mode } from './payment.ts'
import { useSession } from './session.tsx'

const MODES: readonly Mode[] = ['live', 'sandbox']

export function ModeSwitch() {
  const { say } = useLanguage()
  const { mode, setMode } = useSession()
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
          {one === 'live' ? say('live') : say('sandboxShort')}
        </label>
      ))}
    </div>
  )
}
