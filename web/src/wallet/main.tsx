import { mount } from '../kit/mount.tsx'
import { LanguageProvider } from './language.ts'
import { Wallet } from './Wallet.tsx'

mount(LanguageProvider, Wallet)
