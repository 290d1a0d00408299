import { Icon } from '../kit/display.tsx'
import { useLanguage } from './language.ts'
import { useSound } from './sound.ts'

export function SoundButton() {
  const { translate } = useLanguage()
  const { isSoundOn, setSound } = useSound()
  return (
    <button
      type="button"
      className="tool"
      aria-label={translate(isSoundOn ? 'soundsOff' : 'soundsOn')}
      onClick={() => setSound(!isSoundOn)}
    >
      <Icon name={isSoundOn ? 'sound' : 'mute'} />
    </button>
  )
}
