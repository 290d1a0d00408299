import { ROLES } from '@florin/server/core/person.js'
import { fields, get, MODE, type Noun, part, post } from './verb.ts'

const CLIENT = [
  MODE,
  ['--email <email>', 'as the store wrote it; capitals do not matter'],
  ['--phone <phone>', 'with its dial code, if the store gave one'],
] as const

export const people: Noun = {
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
}

export const clients: Noun = {
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
}

export const operators: Noun = {
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
}
