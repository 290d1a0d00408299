export { florinEligibilityChecker } from './checker.js'
export { florinPaymentHandler } from './handler.js'
export type { FlorinPluginOptions } from './options.js'
export { FlorinPlugin } from './plugin.js'
