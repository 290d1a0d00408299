import { mintPin } from '@florin/server/core/pins.js'
import { LOCALES } from '@florin/shared/locales.js'
import {
  fields,
  get,
  MODE,
  MOVE,
  move,
  type Noun,
  type Options,
  PAGE,
  pathSegment,
  post,
  query,
  type Verb,
} from './verb.ts'

type Activation = { readonly url: string | null }

export const wallets: Noun = {
  about: 'manage the wallets of payers',
  verbs: {
    list: {
      usage: 'list',
      about: 'list wallets',
      options: PAGE,
      columns: ['wallet_id', 'mode', 'name', 'phone', 'balances'],
      call: (_, options) => get(`/operator/wallets${query(options)}`),
    },
    get: {
      usage: 'get <wallet>',
      about: 'show a wallet with its balances',
      call: ([wallet]) => get(`/operator/wallets/${pathSegment(wallet)}`),
    },
    create: {
      usage: 'create',
      about: 'create a wallet and show its activation code',
      options: [
        MODE,
        ['--name <name>', "the payer's name"],
        ['--email <email>', "the payer's email"],
        ['--phone <phone>', 'international format, such as +15550100009'],
        ['--locale <locale>', 'language of emails to the payer', LOCALES],
        ['--pin <pin>', 'for imports: 4 to 8 digits instead of an activation code'],
      ],
      linkOf: (data) => (data as { activation: Activation | null }).activation?.url ?? null,
      call: (_, options) => post('/operator/wallets', fields(options)),
    },
    activation: {
      usage: 'activation <wallet>',
      about: 'create and show a new activation code that lets the payer choose a new PIN',
      options: [['--end-sessions', 'end all sessions and disable the current PIN now']],
      linkOf: (data) => (data as Activation).url,
      call: ([wallet], options) =>
        post(`/operator/wallets/${pathSegment(wallet)}/activation`, fields(options)),
    },
    'pin-limits': {
      usage: 'pin-limits',
      about: 'list the amounts above which every wallet needs its PIN to pay',
      call: () => get('/operator/pin-limits'),
    },
    'pin-limit': {
      usage: 'pin-limit <currency> <amount>',
      about: 'set the amount above which every wallet needs its PIN; none removes it',
      call: ([currency, amount]) => ({
        method: 'PUT',
        path: '/operator/pin-limits',
        body: { currency, amount: amount === 'none' ? null : amount },
      }),
    },
    'top-up': createMoneyVerb('top-up', 'add money to a wallet'),
    withdraw: createMoneyVerb('withdraw', 'withdraw money from a wallet'),
    lock: {
      usage: 'lock <wallet>',
      about: 'prevent sign-in and payments until it is unlocked',
      call: ([wallet]) => ({
        method: 'POST',
        path: `/operator/wallets/${pathSegment(wallet)}/lock`,
      }),
    },
    unlock: {
      usage: 'unlock <wallet>',
      about: 'unlock a wallet that wrong PINs or an operator locked',
      call: ([wallet]) => ({
        method: 'POST',
        path: `/operator/wallets/${pathSegment(wallet)}/unlock`,
      }),
    },
    export: {
      usage: 'export <wallet>',
      about: 'export all data about a payer as JSON',
      allPages: true,
      isDocument: true,
      call: ([wallet]) => post(`/operator/wallets/${pathSegment(wallet)}/export`, {}),
    },
    erase: {
      usage: 'erase <wallet>',
      about: 'erase the identity of a payer but keep the ledger; cannot be undone',
      call: ([wallet]) => ({
        method: 'POST',
        path: `/operator/wallets/${pathSegment(wallet)}/erase`,
      }),
    },
    pin: {
      usage: 'pin <wallet>',
      about: 'set a new PIN and end all sessions; without --pin, one is generated and shown',
      options: [['--pin <pin>', '4 to 8 digits']],
      call: ([wallet], options) =>
        post(`/operator/wallets/${pathSegment(wallet)}/pin`, { pin: pinOf(options) }),
    },
  },
}

const pinOf = (options: Options) => options.pin ?? mintPin()

function createMoneyVerb(verb: 'top-up' | 'withdraw', about: string): Verb {
  return {
    usage: `${verb} <wallet> <amount> <currency>`,
    about,
    options: MOVE,
    call: ([wallet, amount, currency], options) =>
      move(`/operator/wallets/${pathSegment(wallet)}/${verb}`, { amount, currency }, options),
  }
}
