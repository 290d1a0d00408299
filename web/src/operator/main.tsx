import { mount } from '../kit/mount.tsx'
import { LanguageProvider } from './language.ts'
import { Operator } from './Operator.tsx'

mount(LanguageProvider, Operator)
