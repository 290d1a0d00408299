import type { StoreSettings } from '../../people/storeSettings.ts'

export type Settings = StoreSettings & { readonly own_logo: boolean }
