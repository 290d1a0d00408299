import type { StoreSettings } from '../../kit/store/storeSettings.ts'

export type Settings = StoreSettings & { readonly own_logo: boolean }
