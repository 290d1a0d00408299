import { mintPin } from '@florin/server/core/pin.js'
import {
  fields,
  get,
  MODE,
  type Noun,
  type Options,
  PAGE,
  part,
  post,
  query,
  type Verb,
} from './verb.ts'

export const wallets: Noun = {
  about: "payers' wallets",
  verbs: {
    list: {
      usage: 'list',
      about: 'all wallets',
      options: PAGE,
      columns: ['wallet_id', 'mode', 'name', 'phone', 'balances'],
      call: (_, options) => get(`/operator/wallets${query(options)}`),
    },
    get: {
      usage: 'get <wallet>',
      about: 'one wallet with its balances',
      call: ([wallet]) => get(`/operator/wallets/${part(wallet)}`),
    },
    create: {
      usage: 'create',
      about: 'a new wallet; a PIN is made up and shown where none is given',
      options: [
        MODE,
        ['--name <name>', "the payer's name"],
        ['--email <email>', "the payer's e-mail address"],
        ['--phone <phone>', 'international, such as +15550100009'],
        ['--pin <pin>', '4 to 8 digits'],
      ],
      call: (_, options) => post('/operator/wallets', { ...fields(options), pin: pinOf(options) }),
    },
    'top-up': moveWalletMoney('top-up', 'put money into a wallet'),
    withdraw: moveWalletMoney('withdraw', 'take money out of a wallet'),
    lock: {
      usage: 'lock <wallet>',
      about: 'lets it neither sign in nor pay until it is unlocked',
      call: ([wallet]) => ({ method: 'POST', path: `/operator/wallets/${part(wallet)}/lock` }),
    },
    unlock: {
      usage: 'unlock <wallet>',
      about: 'after too many wrong PINs, or locked by an operator',
      call: ([wallet]) => ({ method: 'POST', path: `/operator/wallets/${part(wallet)}/unlock` }),
    },
    export: {
      usage: 'export <wallet>',
      about: 'all that is held about a payer, as JSON',
      toEnd: true,
      isDocument: true,
      call: ([wallet]) => post(`/operator/wallets/${part(wallet)}/export`, {}),
    },
    erase: {
      usage: 'erase <wallet>',
      about: 'forgets who a payer was, everywhere but in the ledger; cannot be taken back',
      call: ([wallet]) => ({ method: 'POST', path: `/operator/wallets/${part(wallet)}/erase` }),
    },
    pin: {
      usage: 'pin <wallet>',
      about: 'a new PIN; ends all sessions. One is made up and shown where none is given',
      options: [['--pin <pin>', '4 to 8 digits']],
      call: ([wallet], options) =>
        post(`/operator/wallets/${part(wallet)}/pin`, { pin: pinOf(options) }),
    },
  },
}

const pinOf = (options: Options) => options.pin ?? mintPin()

function moveWalletMoney(verb: 'top-up' | 'withdraw', about: string): Verb {
  return {
    usage: `${verb} <wallet> <amount> <currency>`,
    about,
    options: [['--note <text>', 'for the statement']],
    call: ([wallet, amount, currency], options) =>
      post(`/operator/wallets/${part(wallet)}/${verb}`, { ...fields(options), amount, currency }),
  }
}
