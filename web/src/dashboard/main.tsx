import { mount } from '../kit/mount.tsx'
import { Dashboard } from './Dashboard.tsx'
import { LanguageProvider } from './language.ts'

mount(LanguageProvider, Dashboard)
