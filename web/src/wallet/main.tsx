import { mount } from '../kit/mount.tsx'
import { keepForOffline } from './install.ts'
import { LanguageProvider } from './language.ts'
import { Wallet } from './Wallet.tsx'

mount(
  <LanguageProvider>
    <Wallet />
  </LanguageProvider>,
)
window.addEventListener('load', () => void keepForOffline())
