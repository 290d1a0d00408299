import { PluginCommonModule, type Type, VendurePlugin } from '@vendure/core'
import { raw } from 'body-parser'
import { florinEligibilityChecker } from './checker.js'
import { FlorinController } from './controller.js'
import { florinPaymentHandler } from './handler.js'
import { FLORIN_OPTIONS, type FlorinPluginOptions, WEBHOOK_PATH } from './options.js'
import { FlorinResolver, shopApi } from './resolver.js'
import { FlorinService } from './service.js'

/** Larger than any event: Florin accepts requests of up to 256 KiB. */
const MAX_WEBHOOK_SIZE = '512kb'

/** Adds Florin as a payment method. Its keys are settings of the payment method, in the admin UI. */
@VendurePlugin({
  imports: [PluginCommonModule],
  controllers: [FlorinController],
  providers: [{ provide: FLORIN_OPTIONS, useFactory: () => FlorinPlugin.options }, FlorinService],
  shopApiExtensions: { schema: shopApi, resolvers: [FlorinResolver] },
  configuration(config) {
    config.paymentOptions.paymentMethodHandlers.push(florinPaymentHandler)
    config.paymentOptions.paymentMethodEligibilityCheckers = [
      ...(config.paymentOptions.paymentMethodEligibilityCheckers ?? []),
      florinEligibilityChecker,
    ]
    // The signature covers the bytes as they were received.
    config.apiOptions.middleware.push({
      route: `/${WEBHOOK_PATH}`,
      handler: raw({ type: () => true, limit: MAX_WEBHOOK_SIZE }),
      beforeListen: true,
    })
    return config
  },
  compatibility: '^3.0.0',
})
// biome-ignore lint/complexity/noStaticOnlyClass: Vendure registers plugins as classes.
export class FlorinPlugin {
  static options: FlorinPluginOptions

  static init(options: FlorinPluginOptions): Type<FlorinPlugin> {
    if (!/^https?:$/.test(new URL(options.serverUrl).protocol)) {
      throw new TypeError('serverUrl must be an http or https URL')
    }
    FlorinPlugin.options = options
    return FlorinPlugin
  }
}
