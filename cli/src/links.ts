import type { CreateLinkParams, Link, UpdateLinkParams } from '@florin/sdk'
import { type Command, Option } from 'commander'
import { UsageError } from './failure.ts'
import { asMerchant } from './merchant.ts'
import {
  addMerchantCommand,
  type CommandOptions,
  idempotencyOptions,
  parseAmount,
  parseData,
  parseWholeNumber,
  printUrlQr,
  show,
} from './merchantCommands.ts'
import { print } from './print.ts'

const COLUMNS = ['link_id', 'title', 'state', 'price', 'paid_count', 'paid', 'url']

type Fields = CommandOptions & {
  readonly title?: string
  readonly description?: string
  readonly referenceId?: string
  readonly webhookUrl?: string
  readonly returnUrl?: string
  readonly maxPayments?: number
  readonly expiresAt?: string
  readonly data?: string
}
type CreateOptions = Fields & {
  readonly amount?: string
  readonly currency?: string
  readonly idempotencyKey?: string
}
type ChangeOptions = Fields & { readonly on?: boolean; readonly off?: boolean }
type ListOptions = CommandOptions & {
  readonly active?: 'true' | 'false'
  readonly limit?: number
  readonly cursor?: string
}

/** Adds the commands for the payment links of a store. */
export function addLinkCommands(program: Command): void {
  const links = program.command('links').description("create and manage a store's payment links")
  const add = (usage: string, about: string) => addMerchantCommand(links, usage, about)

  withFields(add('create <title>', 'create a link and draw its QR code'))
    .option('--amount <amount>', 'amount of each payment; default: the payer chooses')
    .option('--currency <code>', "currency; default: the store's")
    .option('--idempotency-key <key>', 'requests with the same key create one link')
    .action((title: string, options: CreateOptions) =>
      asMerchant(options, async ({ florin }) => {
        const params: CreateLinkParams = {
          ...fieldsOf(options),
          title,
          ...(options.amount !== undefined && { amount: parseAmount(options.amount) }),
          ...(options.currency !== undefined && { currency: options.currency }),
        }
        const link = await florin.links.create(params, idempotencyOptions(options))
        show(link, options)
        if (!options.json) await printUrlQr(link.url)
      }),
    )

  withFields(add('change <link>', 'change, pause or activate a link'))
    .option('--title <text>', 'what you sell')
    .option('--on', 'activate the link')
    .option('--off', 'pause the link')
    .action((id: string, options: ChangeOptions) =>
      asMerchant(options, async ({ florin }) => {
        if (options.on && options.off) throw new UsageError('Pass --on or --off, not both.')
        const changes: UpdateLinkParams = {
          ...fieldsOf(options),
          ...(options.title !== undefined && { title: options.title }),
          ...((options.on || options.off) && { active: options.on === true }),
        }
        show(await florin.links.update(id, changes), options)
      }),
    )

  add('get <link>', 'show a link, and how much was paid with it').action(
    (id: string, options: CommandOptions) =>
      asMerchant(options, async ({ florin }) => show(await florin.links.retrieve(id), options)),
  )

  add('list', 'list links, newest first')
    .addOption(
      new Option('--active <boolean>', 'true: not paused; false: paused').choices([
        'true',
        'false',
      ]),
    )
    .option('--limit <n>', 'page size, 1 to 100', parseWholeNumber, 20)
    .option('--cursor <cursor>', 'next_cursor of the previous page')
    .action((options: ListOptions) =>
      asMerchant(options, async ({ florin }) => {
        const { active, limit, cursor } = options
        const page = await florin.links
          .list({
            ...(active !== undefined && { active: active === 'true' }),
            ...(limit !== undefined && { limit }),
            ...(cursor !== undefined && { cursor }),
          })
          .page()
        const items = options.json ? page.items : page.items.map(rowOf)
        const shown = { links: items, next_cursor: page.next_cursor }
        print(shown, { json: options.json === true, columns: COLUMNS })
      }),
    )
}

/** Adds the options of both create and change. */
const withFields = (command: Command): Command =>
  command
    .option('--description <text>', 'a description, shown to payers')
    .option('--reference-id <id>', 'your own id, for every payment')
    .option('--webhook-url <url>', 'URL that receives the events of the payments')
    .option('--return-url <url>', 'URL that the wallet links to after paying')
    .option('--max-payments <n>', 'how many times it can be paid', parseWholeNumber)
    .option('--expires-at <time>', 'time after which it can no longer be paid')
    .option('--data <json>', 'other fields of the request, such as products')

const fieldsOf = (options: Fields) => ({
  ...parseData(options.data),
  ...(options.description !== undefined && { description: options.description }),
  ...(options.referenceId !== undefined && { reference_id: options.referenceId }),
  ...(options.webhookUrl !== undefined && { webhook_url: options.webhookUrl }),
  ...(options.returnUrl !== undefined && { return_url: options.returnUrl }),
  ...(options.maxPayments !== undefined && { max_payments: options.maxPayments }),
  ...(options.expiresAt !== undefined && { expires_at: options.expiresAt }),
})

const rowOf = ({ amount, currency, paid_total, paid_currency, ...link }: Link) => ({
  ...link,
  price: amount === null ? null : `${amount} ${currency}`,
  paid: `${paid_total} ${paid_currency}`,
})
