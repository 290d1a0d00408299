import { MODES } from '@florin/server/core/ids.js'
import { ROLES } from '@florin/server/core/person.js'
import { mintPin } from '@florin/server/core/pins.js'
import { Command, Option } from 'commander'
import type { Call } from './operator.ts'
import { print } from './print.ts'

type Options = Record<string, string | boolean | undefined>

type Verb = {
  readonly usage: string
  readonly about: string
  readonly options?: readonly (readonly [
    flags: string,
    about: string,
    choices?: readonly string[],
  ])[]
  /** What people see of each row; scripts get everything. */
  readonly columns?: readonly string[]
  readonly call: (args: readonly string[], options: Options) => Call
  /** Asked for page by page, and printed when all of it is there. */
  readonly toEnd?: true
  /** What one hands to somebody, which is JSON for people as well. */
  readonly isDocument?: true
}

const PAGE = [
  ['--limit <n>', 'how many, 1 to 100'],
  ['--cursor <cursor>', 'where the last page ended'],
] as const

const MODE = ['--mode <mode>', 'which money', MODES] as const

const CLIENT = [
  MODE,
  ['--email <email>', 'as the store wrote it; capitals do not matter'],
  ['--phone <phone>', 'with its dial code, if the store gave one'],
] as const

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

const NOUNS: Record<string, { about: string; verbs: Record<string, Verb> }> = {
  stores: {
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
  },
  keys: {
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
  },
  people: {
    about: 'who works for a store, at its till and its desk',
    verbs: {
      add: {
        usage: 'add <store>',
        about: 'somebody new; a password is made up and shown this once',
        options: [
          ['--email <email>', 'to sign in with'],
          ['--name <name>', 'as colleagues know them'],
          ['--role <role>', 'what they may do', ROLES],
        ],
        call: ([store], options) => post(`/operator/stores/${part(store)}/people`, fields(options)),
      },
      list: {
        usage: 'list <store>',
        about: 'the people of a store',
        columns: ['person_id', 'email', 'name', 'role', 'disabled_at'],
        call: ([store]) => get(`/operator/stores/${part(store)}/people`),
      },
      reset: {
        usage: 'reset <person>',
        about: 'a new password, shown this once; ends all sessions and any lock',
        call: ([person]) => ({ method: 'POST', path: `/operator/people/${part(person)}/password` }),
      },
      disable: {
        usage: 'disable <person>',
        about: 'lets somebody in no longer; ends all sessions',
        call: ([person]) => ({
          method: 'PATCH',
          path: `/operator/people/${part(person)}`,
          body: { disabled: true },
        }),
      },
    },
  },
  wallets: {
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
        call: (_, options) =>
          post('/operator/wallets', { ...fields(options), pin: pinOf(options) }),
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
  },
  clients: {
    about: 'the clients that a store has named in its payments, by e-mail address or phone number',
    verbs: {
      export: {
        usage: 'export <store>',
        about: 'all that is held about a client, as JSON',
        options: CLIENT,
        toEnd: true,
        isDocument: true,
        call: ([store], options) =>
          post(`/operator/stores/${part(store)}/clients/export`, fields(options)),
      },
      erase: {
        usage: 'erase <store>',
        about: 'forgets a client; its payments stay, and it cannot be taken back',
        options: CLIENT,
        toEnd: true,
        call: ([store], options) =>
          post(`/operator/stores/${part(store)}/clients/erase`, fields(options)),
      },
    },
  },
  webhooks: {
    about: 'what waits to be delivered, and the secrets that sign it',
    verbs: {
      queue: {
        usage: 'queue',
        about: 'what waits, since when, and which receivers fail',
        call: () => get('/operator/webhooks'),
      },
      'rotate-secret': {
        usage: 'rotate-secret <store>',
        about: 'a new secret, shown this once; for a day both sign',
        options: [MODE],
        call: ([store], options) =>
          post(`/operator/stores/${part(store)}/webhook-secret/rotate`, fields(options)),
      },
    },
  },
  rates: {
    about: 'exchange rates',
    verbs: {
      list: { usage: 'list', about: 'the rates in force', call: () => get('/operator/rates') },
      set: {
        usage: 'set <from> <to> <rate>',
        about: 'how much of the second currency one of the first is worth',
        call: ([from, to, rate]) => ({
          method: 'PUT',
          path: `/operator/rates/${part(from)}/${part(to)}`,
          body: { rate },
        }),
      },
      history: {
        usage: 'history <from> <to>',
        about: 'a rate and those before it',
        call: ([from, to]) => get(`/operator/rates/${part(from)}/${part(to)}`),
      },
    },
  },
  operators: {
    about: "who runs the service: people for the console, tokens for the operator's API",
    verbs: {
      list: {
        usage: 'list',
        about: 'everybody who may sign in to the console',
        columns: ['operator_id', 'email', 'name', 'disabled_at'],
        call: () => get('/operator/operators'),
      },
      add: {
        usage: 'add',
        about: 'somebody new; a password is made up and shown this once',
        options: [
          ['--email <email>', 'to sign in with'],
          ['--name <name>', 'as colleagues know them'],
        ],
        call: (_, options) => post('/operator/operators', fields(options)),
      },
      reset: {
        usage: 'reset <operator>',
        about: 'a new password, shown this once; ends all sessions and any lock',
        call: ([operator]) => ({
          method: 'POST',
          path: `/operator/operators/${part(operator)}/password`,
        }),
      },
      disable: {
        usage: 'disable <operator>',
        about: 'lets somebody in no longer; ends all sessions',
        call: ([operator]) => ({
          method: 'PATCH',
          path: `/operator/operators/${part(operator)}`,
          body: { disabled: true },
        }),
      },
      issue: {
        usage: 'issue <label>',
        about: 'a token, shown this once',
        call: ([label]) => post('/operator/tokens', { label }),
      },
      revoke: {
        usage: 'revoke <label>',
        about: 'all tokens with this label',
        call: ([label]) => ({ method: 'DELETE', path: `/operator/tokens/${part(label)}` }),
      },
    },
  },
}

/** Every noun with its verbs; each is one call of the operator's API. */
export function addOperatorCommands(program: Command): void {
  for (const [noun, { about, verbs }] of Object.entries(NOUNS)) {
    const command = program.command(noun).description(about)
    for (const verb of Object.values(verbs)) addVerb(command, verb)
  }
  addVerb(program, {
    usage: 'audit-log',
    about: 'who did what, newest first',
    options: [
      ['--actor <name>', 'only by this one'],
      ['--action <name>', 'only this, such as store.change'],
      ['--subject <name>', 'only about this, such as store:1'],
      ['--from <time>', 'inclusive'],
      ['--to <time>', 'exclusive'],
      ...PAGE,
    ],
    columns: ['at', 'actor', 'action', 'subject', 'changes'],
    call: (_, options) => get(`/operator/audit-log${query(options)}`),
  })
}

function addVerb(parent: Command, verb: Verb): void {
  const command = new Command(verb.usage.split(' ')[0]).description(verb.about)
  for (const name of verb.usage.split(' ').slice(1)) command.argument(name)
  for (const [flags, about, choices] of verb.options ?? []) {
    const option = new Option(flags, about)
    command.addOption(choices ? option.choices(choices) : option)
  }
  command.action(async () => {
    const { json, ...options } = command.opts<Options>()
    const call = verb.call(command.args, options)
    const { callOperator } = await import('./operator.ts')
    const { toEnd = false, isDocument = false } = verb
    const data = await callOperator(call, { toEnd })
    // A PIN that was made up here is known to nobody else.
    const pin =
      call.body?.pin !== undefined && options.pin === undefined ? { pin: call.body.pin } : {}
    print(
      { ...(data as object), ...pin },
      {
        json: isDocument || json === true,
        columns: verb.columns ?? null,
      },
    )
  })
  parent.addCommand(command)
}

const get = (path: string): Call => ({ method: 'GET', path })
const post = (path: string, body: Record<string, unknown>): Call => ({ method: 'POST', path, body })
const part = (text: string | undefined) => encodeURIComponent(text ?? '')
const pinOf = (options: Options) => options.pin ?? mintPin()

function moveMoney(verb: 'fund' | 'payout', about: string): Verb {
  return {
    usage: `${verb} <store> <amount>`,
    about,
    options: [MODE, ['--note <text>', 'for the statement']],
    call: ([store, amount], options) =>
      post(`/operator/stores/${part(store)}/${verb}`, { ...fields(options), amount }),
  }
}

function moveWalletMoney(verb: 'top-up' | 'withdraw', about: string): Verb {
  return {
    usage: `${verb} <wallet> <amount> <currency>`,
    about,
    options: [['--note <text>', 'for the statement']],
    call: ([wallet, amount, currency], options) =>
      post(`/operator/wallets/${part(wallet)}/${verb}`, { ...fields(options), amount, currency }),
  }
}

/** Options are written with dashes and in camel case, fields with underscores. */
function fields(options: Options): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )
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

const WHOLE_NUMBERS = ['fee_bps', 'expires_after_seconds', 'overlap_seconds']

function numbers(body: Record<string, unknown>): Record<string, unknown> {
  const convert = (name: string, value: unknown) =>
    WHOLE_NUMBERS.includes(name) && /^\d+$/.test(String(value)) ? Number(value) : value
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, convert(name, value)]),
  )
}

function query(options: Options): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(options)) given.set(name, String(value))
  return given.size === 0 ? '' : `?${given}`
}
