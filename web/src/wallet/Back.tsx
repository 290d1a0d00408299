import { Icon } from '../kit/display.tsx'
import { useLanguage } from './language.ts'

export function Back() {
  const { say } = useLanguage()
  return (
    <a className="back" href="#home">
      <Icon name="back" />
      {say('backToWallet')}
    </a>
  )
}
