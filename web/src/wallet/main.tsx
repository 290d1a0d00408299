import { mount } from '../kit/mount.tsx'
import { enableOffline } from './install.ts'
import { LanguageProvider } from './language.ts'
import { Wallet } from './Wallet.tsx'

mount(LanguageProvider, Wallet)
window.addEventListener('load', () => void enableOffline())
