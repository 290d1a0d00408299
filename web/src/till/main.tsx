// Styles of the kit come first, because those of the app override them.
import '../kit/styles/design.css'
import '../kit/styles/staff.css'
import '../kit/account/account.css'
import '../kit/styles/keypad.css'
import { mount } from '../kit/mount.tsx'
import { ignoreDoubleTaps } from './doubleTap.ts'
import { LanguageProvider } from './language.ts'
import { Till } from './Till.tsx'

ignoreDoubleTaps()
mount(LanguageProvider, Till)
