import {
  ConflictError,
  Florin,
  FlorinError,
  NotFoundError,
  type Payment,
  RefusedError,
} from '@florin/sdk'
import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  Logger,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types'
import {
  AbstractPaymentProvider,
  MedusaError,
  PaymentSessionStatus,
} from '@medusajs/framework/utils'
import { isSameAmount, toDecimal } from './amounts.js'
import { checkOptions, type FlorinOptions, returnUrlOf } from './options.js'
import {
  paymentIdOf,
  requirePaymentId,
  SESSION_STATUS,
  type SessionData,
  sessionIdOf,
} from './sessionData.js'
import { determineWebhookAction, type SessionStore } from './webhook.js'

/** Medusa locks a cart for at most two minutes while it is completed. With all retries, this is half a minute. */
const TIMEOUT_MS = 10_000
const MAX_RETRIES = 2

type Cradle = { readonly logger: Logger; readonly paymentSessionService: SessionStore }

export class FlorinProvider extends AbstractPaymentProvider<FlorinOptions> {
  static override identifier = 'florin'
  static override validateOptions = checkOptions

  readonly #florin: Florin
  readonly #cradle: Cradle

  constructor(cradle: Cradle, options: FlorinOptions) {
    super(cradle, options)
    const { baseUrl, apiKey, apiSecret } = options
    this.#florin = new Florin({
      baseUrl,
      apiKey,
      apiSecret,
      timeoutMs: TIMEOUT_MS,
      maxRetries: MAX_RETRIES,
    })
    this.#cradle = cradle
  }

  async initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const data = await explainErrors(() => this.#create(input, 'first'))
    return { id: data.payment_id, status: PaymentSessionStatus.PENDING, data }
  }

  /** Keeps a pending or completed payment of the same amount. Otherwise creates another, unless the old one is paid. */
  async updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const id = paymentIdOf(input.data)
    if (id === undefined) return this.initiatePayment(input)
    return explainErrors(async () => {
      if (await this.#isUsable(id, input)) return { data: input.data ?? {} }
      await this.#expire(id)
      const data = await this.#create(input, id)
      return { status: PaymentSessionStatus.PENDING, data: { ...input.data, ...data } }
    })
  }

  /**
   * Refuses the payment of another session. Until `initiatePayment` has returned, the data of a session is what the storefront
   * sent, so a customer could name a payment of an earlier order.
   */
  async authorizePayment({
    data,
    context,
  }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    const payment = await this.#retrieve(data)
    // Medusa passes the id of the session as the key.
    if (sessionIdOf(payment) !== context?.idempotency_key) {
      throw notAllowed(`${payment.payment_id} is not the payment of this session`)
    }
    return { status: SESSION_STATUS[payment.status], data: data ?? {} }
  }

  async capturePayment({ data }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const { payment_id, status } = await explainErrors(() => this.#retrieve(data))
    if (status === 'completed') return { data: data ?? {} }
    throw notAllowed(`${payment_id} is ${status}, so it can't be captured`)
  }

  async cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    const id = paymentIdOf(data)
    if (id !== undefined) await explainErrors(() => this.#expire(id))
    return { data: data ?? {} }
  }

  async deletePayment(input: DeletePaymentInput): Promise<DeletePaymentOutput> {
    return this.cancelPayment(input)
  }

  async refundPayment({ amount, data }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const { payment_id, request_amount } = await explainErrors(() => this.#retrieve(data))
    const { amount: full, currency } = request_amount
    if (!isSameAmount(amount, currency, request_amount)) {
      throw notAllowed(
        `Florin refunds payments in full: refund ${full} ${currency}, not ${toDecimal(amount, currency)} ${currency}. Nothing was refunded.`,
      )
    }
    const { refund_amount, refund_fee } = await explainErrors(() => this.#refundOnce(payment_id))
    return { data: { ...data, refund_amount, refund_fee } }
  }

  async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return { data: { ...(await this.#retrieve(data)) } }
  }

  async getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    const { status } = await this.#retrieve(data)
    return { status: SESSION_STATUS[status], data: data ?? {} }
  }

  async getWebhookActionAndData(
    payload: ProviderWebhookPayload['payload'],
  ): Promise<WebhookActionResult> {
    return determineWebhookAction(payload, {
      secret: this.config.webhookSecret,
      florin: this.#florin,
      sessions: this.#cradle.paymentSessionService,
      logger: this.#cradle.logger,
    })
  }

  /** `previous` makes the key of a new attempt differ, because a repeated key returns the old payment. */
  async #create(input: InitiatePaymentInput, previous: string): Promise<SessionData> {
    const sessionId = input.data?.session_id
    if (typeof sessionId !== 'string') throw notAllowed('The payment session has no id')
    const currency = input.currency_code.toUpperCase()
    const amount = toDecimal(input.amount, currency)
    const { payment_id } = await this.#florin.payments.create(
      {
        amount,
        currency,
        reference_id: sessionId,
        payload: { medusa_session: sessionId },
        webhook_url: this.config.webhookUrl,
        return_url: returnUrlOf(this.config, input.data?.return_url),
      },
      { idempotencyKey: `medusa-${sessionId}-${amount}-${currency}-${previous}` },
    )
    const base = this.config.baseUrl.replace(/\/$/, '')
    return { session_id: sessionId, payment_id, checkout_url: `${base}/pay/${payment_id}` }
  }

  #retrieve(data: Record<string, unknown> | undefined): Promise<Payment> {
    return this.#florin.payments.retrieve(requirePaymentId(data))
  }

  /** Whether a payment is pending or completed and has this amount. A payment of other keys is not usable. */
  async #isUsable(paymentId: string, input: UpdatePaymentInput): Promise<boolean> {
    try {
      const { status, request_amount } = await this.#florin.payments.retrieve(paymentId)
      const isSame = isSameAmount(input.amount, input.currency_code, request_amount)
      return isSame && (status === 'pending' || status === 'completed')
    } catch (error) {
      if (error instanceof NotFoundError) return false
      throw error
    }
  }

  /**
   * Expires a pending payment. Refuses if the customer has paid it: Medusa would not record the money. A payment of other
   * keys, for example of the sandbox before the shop went live, must not block its cart forever.
   */
  async #expire(paymentId: string): Promise<void> {
    try {
      await this.#florin.payments.expire(paymentId)
    } catch (error) {
      if (error instanceof NotFoundError) {
        const reason = 'the API key of this shop has no such payment'
        return this.#cradle.logger.warn(`Florin: ${paymentId} was not expired: ${reason}`)
      }
      if (!(error instanceof ConflictError)) throw error
      const { status } = await this.#florin.payments.status(paymentId)
      if (status === 'completed') {
        throw notAllowed(`${paymentId} is paid. Refund it instead.`)
      }
    }
  }

  /** A payment that is already refunded, for example in Florin's dashboard, counts as done. */
  async #refundOnce(paymentId: string) {
    try {
      const idempotencyKey = `medusa-refund-${paymentId}`
      return await this.#florin.payments.refund(paymentId, { idempotencyKey })
    } catch (error) {
      if (!(error instanceof FlorinError)) throw error
      const isRefused = error instanceof RefusedError
      const refund = isRefused ? (await this.#florin.payments.retrieve(paymentId)).refund : null
      if (refund !== null) return refund
      throw notAllowed(
        `Florin did not confirm the refund. You can try again: the customer is not refunded twice. Reason: ${error.message}`,
      )
    }
  }
}

/** Medusa replaces the message of an error that is not its own by "An unknown error occurred." */
async function explainErrors<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof FlorinError ? notAllowed(`Florin: ${error.message}`) : error
  }
}

const notAllowed = (message: string) => new MedusaError(MedusaError.Types.NOT_ALLOWED, message)
