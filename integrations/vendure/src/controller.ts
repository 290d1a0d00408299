import { WebhookVerificationError, webhooks } from '@florin/sdk'
import { Controller, Inject, Param, Post, Req, Res } from '@nestjs/common'
import {
  ChannelNotFoundError,
  Logger,
  PaymentMethodService,
  RequestContextService,
  UserInputError,
} from '@vendure/core'
import { WEBHOOK_PATH } from './options.js'
import { FlorinService } from './service.js'
import { HANDLER_CODE, LOG_CONTEXT, settingsOf } from './settings.js'

type WebhookRequest = {
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: unknown
}
type WebhookResponse = { status(code: number): { send(text: string): void } }

@Controller(WEBHOOK_PATH)
export class FlorinController {
  @Inject(FlorinService) private readonly service!: FlorinService
  @Inject(PaymentMethodService) private readonly methods!: PaymentMethodService
  @Inject(RequestContextService) private readonly contexts!: RequestContextService

  @Post(':channel/:method')
  async webhook(
    @Param('channel') channel: string,
    @Param('method') method: string,
    @Req() request: WebhookRequest,
    @Res() response: WebhookResponse,
  ): Promise<void> {
    try {
      await this.receive({ channel, method }, request)
      response.status(200).send('')
    } catch (error) {
      const { message } = error as Error
      const status = statusOf(error)
      Logger.error(`The webhook got the response ${status}: ${message}`, LOG_CONTEXT)
      // Florin retries after each of these statuses.
      response.status(status).send(status === 500 ? 'Try again later.' : message)
    }
  }

  private async receive(
    { channel, method: code }: { channel: string; method: string },
    { headers, body }: WebhookRequest,
  ): Promise<void> {
    const ctx = await this.contexts.create({ apiType: 'admin', channelOrToken: channel })
    const { paymentMethod } = await this.methods.getMethodAndOperations(ctx, code)
    if (paymentMethod.handler.code !== HANDLER_CODE) {
      throw new UserInputError('This payment method does not use Florin. Check the webhook URL.')
    }
    const { webhookSecret } = settingsOf(paymentMethod)
    // The parser sets a Buffer only if the request has a body.
    const bytes = Buffer.isBuffer(body) ? body : ''
    const event = await webhooks.constructEvent(bytes, headers, webhookSecret)
    await this.service.handleEvent(ctx, paymentMethod, event)
  }
}

function statusOf(error: unknown): number {
  if (error instanceof WebhookVerificationError) return 400
  if (error instanceof ChannelNotFoundError || error instanceof UserInputError) return 404
  return 500
}
