import { useLanguage } from '../staffLanguage.ts'
import type { Mode } from './payment.ts'

const MODES: readonly Mode[] = ['live', 'sandbox']

type Props = { mode: Mode; setMode: (mode: Mode) => void }

export function ModeSwitch({ mode, setMode }: Props) {
  const { say } = useLanguage()
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
