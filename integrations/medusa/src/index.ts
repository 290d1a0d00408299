import { ModuleProvider, Modules } from '@medusajs/framework/utils'
import { FlorinProvider } from './provider.js'

export type { FlorinOptions } from './options.js'
export { FlorinProvider } from './provider.js'

export default ModuleProvider(Modules.PAYMENT, { services: [FlorinProvider] })
