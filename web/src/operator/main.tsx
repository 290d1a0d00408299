// Styles of the kit come first, because those of the app override them.
import '../kit/styles/design.css'
import '../kit/account/account.css'
import '../kit/styles/staff.css'
import '../kit/styles/shell.css'
import '../kit/styles/console.css'
import '../kit/styles/actions.css'
import '../kit/styles/tables.css'
import '../kit/charts/charts.css'
import '../kit/store/delivery.css'
import '../kit/console/section.css'
import '../kit/styles/disclosure.css'
import { mount } from '../kit/mount.tsx'
import { LanguageProvider } from './language.ts'
import { Operator } from './Operator.tsx'

mount(LanguageProvider, Operator)
