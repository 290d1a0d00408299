import Type from 'typebox'
import { storeSettings } from './merchant.ts'
import { ownSettings, storeName } from './operator.ts'

export const SettingsBody = Type.Object({ name: Type.Optional(storeName()), ...ownSettings })

export const SettingsData = Type.Object({
  ...storeSettings,
  own_logo: Type.Boolean({ description: 'Whether the logo is one of its own, and not our mark.' }),
})
