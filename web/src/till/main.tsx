import { mount } from '../kit/mount.tsx'
import { LanguageProvider } from './language.ts'
import { Till } from './Till.tsx'

mount(LanguageProvider, Till)
