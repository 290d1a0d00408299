import {
  fields,
  get,
  MODE,
  MOVE,
  move,
  type Noun,
  type Options,
  PAGE,
  parseIntegers,
  pathSegment,
  post,
  query,
  type Verb,
} from './verb.ts'

const STORE_SETTINGS = [
  ['--time-zone <name>', 'such as Europe/Paris'],
  ['--logo <url>', 'URL of a picture; none for the generated logo'],
  ['--domain <domain>', 'domain of the shop'],
  ['--email <email>', 'email for customers'],
  ['--phone <phone>', 'phone number for customers'],
  ['--fee-bps <n>', 'transaction fee in basis points'],
  ['--fee-fixed <amount>', 'fixed part of the transaction fee'],
  ['--refund-fee <amount>', 'fee deducted from a refund'],
  ['--min-amount <amount>', 'minimum payment; none for no limit'],
  ['--max-amount <amount>', 'maximum payment; none for no limit'],
  ['--daily-limit <amount>', 'daily volume; none for no limit'],
  ['--monthly-limit <amount>', 'monthly volume; none for no limit'],
  ['--expires-after-seconds <n>', 'how long a payment can be paid'],
  ['--unique-references <yes|no>', 'whether each reference can be paid only once', ['yes', 'no']],
  ['--refund-cap-manager <amount>', 'refund limit of managers; none for no limit'],
  [
    '--refund-cap-cashier <amount>',
    'refund limit of cashiers; 0 forbids refunds, none for no limit',
  ],
  [
    '--embed-origins <list>',
    'sites that can embed the checkout, separated by commas; none for no site',
  ],
  ['--suspended <yes|no>', 'whether the store is suspended', ['yes', 'no']],
] as const

export const stores: Noun = {
  about: 'manage stores, their settings and balances',
  verbs: {
    list: {
      usage: 'list',
      about: 'list stores',
      options: PAGE,
      columns: ['id', 'name', 'currency', 'time_zone', 'fee_bps', 'suspended', 'created_at'],
      call: (_, options) => get(`/operator/stores${query(options)}`),
    },
    get: {
      usage: 'get <store>',
      about: 'show a store with its balances',
      call: ([store]) => get(`/operator/stores/${pathSegment(store)}`),
    },
    create: {
      usage: 'create',
      about: 'create a store',
      options: [
        ['--name <name>', 'name shown to payers'],
        ['--currency <code>', 'such as USD; cannot be changed later'],
        ...STORE_SETTINGS,
      ],
      call: (_, options) => post('/operator/stores', storeFields(options)),
    },
    change: {
      usage: 'change <store>',
      about: 'change settings of a store; omitted ones stay unchanged',
      options: [['--name <name>', 'name shown to payers'], ...STORE_SETTINGS],
      call: ([store], options) => ({
        method: 'PATCH',
        path: `/operator/stores/${pathSegment(store)}`,
        body: storeFields(options),
      }),
    },
    fund: createMoneyVerb('fund', "add money to a store's balance"),
    payout: createMoneyVerb('payout', 'record a payout to the merchant'),
  },
}

export const keys: Noun = {
  about: 'manage the API keys of a store',
  verbs: {
    list: {
      usage: 'list <store>',
      about: 'list the keys of a store, without secrets',
      columns: ['api_key', 'mode', 'label', 'scopes', 'expires_at', 'revoked_at'],
      call: ([store]) => get(`/operator/stores/${pathSegment(store)}/credentials`),
    },
    issue: {
      usage: 'issue <store>',
      about: 'create a key; its secret is shown once',
      options: [
        MODE,
        ['--label <text>', 'what uses the key'],
        ['--scopes <list>', 'read,create,refund; default: all'],
        ['--expires-at <time>', 'when the key expires'],
      ],
      call: ([store], options) =>
        post(`/operator/stores/${pathSegment(store)}/credentials`, {
          ...fields(options),
          ...(options.scopes === undefined ? {} : { scopes: String(options.scopes).split(',') }),
        }),
    },
    rotate: {
      usage: 'rotate <key>',
      about: 'create a new secret; by default the old one works for another day',
      options: [['--overlap-seconds <n>', 'how long the old secret keeps working']],
      call: ([key], options) =>
        post(`/operator/credentials/${pathSegment(key)}/rotate`, parseIntegers(fields(options))),
    },
    revoke: {
      usage: 'revoke <key>',
      about: 'revoke a key permanently',
      call: ([key]) => ({ method: 'DELETE', path: `/operator/credentials/${pathSegment(key)}` }),
    },
  },
}

function createMoneyVerb(verb: 'fund' | 'payout', about: string): Verb {
  return {
    usage: `${verb} <store> <amount>`,
    about,
    options: [MODE, ...MOVE],
    call: ([store, amount], options) =>
      move(`/operator/stores/${pathSegment(store)}/${verb}`, { amount }, options),
  }
}

function storeFields(options: Options): Record<string, unknown> {
  const words: Record<string, unknown> = { none: null, yes: true, no: false }
  const entries = Object.entries(fields(options)).map(([name, value]) => {
    const isWord = name !== 'name' && typeof value === 'string' && Object.hasOwn(words, value)
    return [name, isWord ? words[value] : value]
  })
  const body = parseIntegers(Object.fromEntries(entries))
  const { embed_origins: origins } = body
  if (origins === undefined) return body
  return { ...body, embed_origins: origins === null ? [] : String(origins).split(',') }
}
