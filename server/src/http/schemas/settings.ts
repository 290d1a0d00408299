import Type from 'typebox'
import { text } from './fields.ts'
import { storeSettings } from './merchant.ts'
import { ownSettings } from './operator.ts'

export const SettingsBody = Type.Object({ name: Type.Optional(text(255)), ...ownSettings })

export const SettingsData = Type.Object({
  ...storeSettings,
  own_logo: Type.Boolean({ description: 'Whether the logo is one of its own, and not our mark.' }),
})
