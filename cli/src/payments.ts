import type { ListParams, Payment, PaymentStatus } from '@florin/sdk'
import { type Command, Option } from 'commander'
import { asMerchant, type Merchant } from './merchant.ts'
import {
  addMerchantCommand,
  type CommandOptions,
  idempotencyOptions,
  parseAmount,
  parseData,
  parseWholeNumber,
  show,
} from './merchantCommands.ts'
import { print, printColoured, printLine } from './print.ts'

const STATUSES: PaymentStatus[] = ['pending', 'completed', 'failed', 'expired', 'refunded']
const COLUMNS = ['payment_id', 'status', 'amount', 'reference_id', 'created_at']

type CreateOptions = CommandOptions & {
  readonly referenceId?: string
  readonly referenceNote?: string
  readonly webhookUrl?: string
  readonly returnUrl?: string
  readonly expiresIn?: number
  readonly data?: string
  readonly idempotencyKey?: string
  readonly watch?: boolean
  readonly timeout?: number
}

type ListOptions = CommandOptions & {
  readonly status?: PaymentStatus
  readonly referenceId?: string
  readonly from?: string
  readonly to?: string
  readonly limit?: number
  readonly cursor?: string
}

/** Adds the commands for the payments of a store. */
export function addPaymentCommands(program: Command): void {
  const payments = program.command('payments').description("create and manage a store's payments")
  const add = (usage: string, about: string) => addMerchantCommand(payments, usage, about)

  add(
    'create <amount> [currency]',
    "create a payment and draw its QR code; default currency: the store's",
  )
    .option('--reference-id <id>', 'id of your order')
    .option('--reference-note <text>', 'note about the order')
    .option('--webhook-url <url>', 'URL that receives the outcome')
    .option('--return-url <url>', 'URL that the checkout page links back to')
    .option('--expires-in <seconds>', 'how long the payment can be paid', parseWholeNumber)
    .option('--data <json>', 'other fields of the request, such as products')
    .option('--idempotency-key <key>', 'requests with the same key create one payment')
    .option('--watch', 'wait until the payment is settled')
    .option('--timeout <seconds>', 'stop waiting after this time', parseWholeNumber)
    .action((amount: string, currency: string | undefined, options: CreateOptions) =>
      asMerchant(options, (merchant) => create(merchant, { amount, currency, options })),
    )

  add('get <payment>', 'show the details of a payment').action(
    (id: string, options: CommandOptions) =>
      asMerchant(options, async ({ florin }) => show(await florin.payments.retrieve(id), options)),
  )

  add('status <payment>', 'show the status of a payment')
    .option('--wait <seconds>', 'wait for a change, up to 60', parseWholeNumber)
    .action((id: string, options: CommandOptions & { wait?: number }) =>
      asMerchant(options, async ({ florin }) => {
        const wait = options.wait === undefined ? {} : { wait: options.wait }
        show(await florin.payments.status(id, wait), options)
      }),
    )

  add('watch <payment>', 'wait until a payment is settled; the exit code shows the outcome')
    .option('--timeout <seconds>', 'stop waiting after this time', parseWholeNumber)
    .action((id: string, options: CommandOptions & { timeout?: number }) =>
      asMerchant(options, (merchant) => follow(merchant, id, options)),
    )

  add('refund <payment>', 'refund a payment')
    .option('--idempotency-key <key>', 'requests with the same key refund once')
    .action((id: string, options: CommandOptions & { idempotencyKey?: string }) =>
      asMerchant(options, async ({ florin }) =>
        show(await florin.payments.refund(id, idempotencyOptions(options)), options),
      ),
    )

  add('expire <payment>', 'expire a pending payment').action(
    (id: string, options: CommandOptions) =>
      asMerchant(options, async ({ florin }) => show(await florin.payments.expire(id), options)),
  )

  add('list', 'list payments, newest first')
    .addOption(new Option('--status <status>', 'only this status').choices(STATUSES))
    .option('--reference-id <id>', 'only this order')
    .option('--from <time>', 'created at this time or later')
    .option('--to <time>', 'created before this time')
    .option('--limit <n>', 'page size, 1 to 100', parseWholeNumber, 20)
    .option('--cursor <cursor>', 'next_cursor of the previous page')
    .action((options: ListOptions) => asMerchant(options, (merchant) => list(merchant, options)))
}

async function create(
  merchant: Merchant,
  request: { amount: string; currency: string | undefined; options: CreateOptions },
): Promise<void> {
  const { florin, url } = merchant
  const { options } = request
  const amount = parseAmount(request.amount)
  const currency = request.currency ?? (await florin.store()).currency
  const created = await florin.payments.create(
    {
      ...parseData(options.data),
      amount,
      currency,
      ...(options.referenceId !== undefined && { reference_id: options.referenceId }),
      ...(options.referenceNote !== undefined && { reference_note: options.referenceNote }),
      ...(options.webhookUrl !== undefined && { webhook_url: options.webhookUrl }),
      ...(options.returnUrl !== undefined && { return_url: options.returnUrl }),
      ...(options.expiresIn !== undefined && { expires_in: options.expiresIn }),
    },
    idempotencyOptions(options),
  )
  const { payment_id, qr_code } = created
  // The payment exists now: print its id even if the key cannot read or the connection breaks.
  const details = await florin.payments.retrieve(payment_id).catch(() => null)
  const checkout_url = `${url}/pay/${payment_id}`
  const expires_at = details?.expires_at ?? null
  if (options.json) {
    const request_amount = details?.request_amount ?? null
    printLine({ ...created, checkout_url, expires_at, request_amount })
  } else {
    const requested = `${details?.request_amount.amount ?? amount} ${currency}`
    show({ payment_id, amount: requested, expires_at, checkout_url }, options)
    const [{ qrText }, { qrRows }] = await Promise.all([
      import('./qrText.ts'),
      import('@florin/server/core/qrSymbol.js'),
    ])
    printColoured(`\n${qrText(qrRows(qr_code), { colours: process.stdout.isTTY })}`)
    printLine(`${qr_code.replace(/(\d{4})(?=\d)/g, '$1 ')}\n`)
  }
  if (options.watch) await follow(merchant, payment_id, options)
}

async function list({ florin }: Merchant, options: ListOptions): Promise<void> {
  const { status, referenceId, from, to, limit, cursor } = options
  const params: ListParams = {
    ...(status !== undefined && { status }),
    ...(referenceId !== undefined && { reference_id: referenceId }),
    ...(from !== undefined && { created_from: from }),
    ...(to !== undefined && { created_to: to }),
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
  }
  const { items, next_cursor } = await florin.payments.list(params).page()
  const payments = options.json ? items : items.map(rowOf)
  print({ payments, next_cursor }, { json: options.json === true, columns: COLUMNS })
}

const rowOf = ({ request_amount: requested, reference, ...payment }: Payment) => ({
  ...payment,
  amount: `${requested.amount} ${requested.currency}`,
  reference_id: reference.id,
})

async function follow(
  merchant: Merchant,
  id: string,
  options: { json?: boolean; timeout?: number },
): Promise<void> {
  const { watch } = await import('./watch.ts')
  process.exitCode = await watch(merchant, id, options)
}
