import {
  fields,
  get,
  MODE,
  type Noun,
  numbers,
  type Options,
  PAGE,
  part,
  post,
  query,
  type Verb,
} from './verb.ts'

const STORE_SETTINGS = [
  ['--time-zone <name>', 'such as Europe/Paris'],
  ['--logo <url>', 'address of a picture; none for the drawn mark'],
  ['--domain <domain>', "the shop's domain"],
  ['--email <email>', 'where customers write to'],
  ['--phone <phone>', 'where customers call'],
  ['--fee-bps <n>', 'transaction fee in hundredths of a percent'],
  ['--fee-fixed <amount>', 'fixed part of the transaction fee'],
  ['--refund-fee <amount>', 'what a refund costs the payer'],
  ['--min-amount <amount>', 'smallest payment; none for no limit'],
  ['--max-amount <amount>', 'largest payment; none for no limit'],
  ['--daily-limit <amount>', 'volume a day; none for no limit'],
  ['--monthly-limit <amount>', 'volume a month; none for no limit'],
  ['--expires-after-seconds <n>', 'how long a code can be paid'],
  ['--unique-references <yes|no>', 'whether an order can be paid only once', ['yes', 'no']],
  ['--refund-cap-manager <amount>', 'largest refund by a manager; none for any'],
  ['--refund-cap-cashier <amount>', 'largest refund by a cashier; 0 for none at all, none for any'],
  ['--embed-origins <list>', 'sites that may frame the checkout, with commas; none for nobody'],
  ['--suspended <yes|no>', 'whether the store is closed for business', ['yes', 'no']],
] as const

export const stores: Noun = {
  about: 'shops, their settings and their money',
  verbs: {
    list: {
      usage: 'list',
      about: 'all stores',
      options: PAGE,
      columns: ['id', 'name', 'currency', 'time_zone', 'fee_bps', 'suspended', 'created_at'],
      call: (_, options) => get(`/operator/stores${query(options)}`),
    },
    get: {
      usage: 'get <store>',
      about: 'one store with its balances',
      call: ([store]) => get(`/operator/stores/${part(store)}`),
    },
    create: {
      usage: 'create',
      about: 'a new store',
      options: [
        ['--name <name>', 'as payers read it'],
        ['--currency <code>', 'such as USD; cannot be changed later'],
        ...STORE_SETTINGS,
      ],
      call: (_, options) => post('/operator/stores', storeFields(options)),
    },
    change: {
      usage: 'change <store>',
      about: 'settings of a store; what is left out stays',
      options: [['--name <name>', 'as payers read it'], ...STORE_SETTINGS],
      call: ([store], options) => ({
        method: 'PATCH',
        path: `/operator/stores/${part(store)}`,
        body: storeFields(options),
      }),
    },
    fund: moveMoney('fund', "put money on a store's balance"),
    payout: moveMoney('payout', "pay a store's balance out to the merchant"),
  },
}

export const keys: Noun = {
  about: 'API keys of a store',
  verbs: {
    list: {
      usage: 'list <store>',
      about: 'the keys of a store, without secrets',
      columns: ['api_key', 'mode', 'label', 'scopes', 'expires_at', 'revoked_at'],
      call: ([store]) => get(`/operator/stores/${part(store)}/credentials`),
    },
    issue: {
      usage: 'issue <store>',
      about: 'a new key; its secret is shown this once',
      options: [
        MODE,
        ['--label <text>', 'what it is for'],
        ['--scopes <list>', 'read,create,refund; all where left out'],
        ['--expires-at <time>', 'when it stops working'],
      ],
      call: ([store], options) =>
        post(`/operator/stores/${part(store)}/credentials`, {
          ...fields(options),
          ...(options.scopes ? { scopes: String(options.scopes).split(',') } : {}),
        }),
    },
    rotate: {
      usage: 'rotate <key>',
      about: 'a new secret; the old one works on for a day',
      options: [['--overlap-seconds <n>', 'how long the old secret works on']],
      call: ([key], options) =>
        post(`/operator/credentials/${part(key)}/rotate`, numbers(fields(options))),
    },
    revoke: {
      usage: 'revoke <key>',
      about: 'ends a key for good',
      call: ([key]) => ({ method: 'DELETE', path: `/operator/credentials/${part(key)}` }),
    },
  },
}

function moveMoney(verb: 'fund' | 'payout', about: string): Verb {
  return {
    usage: `${verb} <store> <amount>`,
    about,
    options: [MODE, ['--note <text>', 'for the statement']],
    call: ([store, amount], options) =>
      post(`/operator/stores/${part(store)}/${verb}`, { ...fields(options), amount }),
  }
}

function storeFields(options: Options): Record<string, unknown> {
  const words: Record<string, unknown> = { none: null, yes: true, no: false }
  const given = Object.entries(fields(options))
  const named = given.map(([name, value]) => {
    const isWord = name !== 'name' && typeof value === 'string' && value in words
    return [name, isWord ? words[value] : value]
  })
  const body = numbers(Object.fromEntries(named))
  const { embed_origins: origins } = body
  if (origins === undefined) return body
  return { ...body, embed_origins: origins === null ? [] : String(origins).split(',') }
}
