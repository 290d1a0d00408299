import { ROLES } from '@florin/contract/values.js'
import { fields, get, MODE, type Noun, pathSegment, post } from './verb.ts'

const CLIENT = [
  MODE,
  ['--email <email>', 'as the store wrote it; case is ignored'],
  ['--phone <phone>', 'with or without the dial code'],
] as const

export const people: Noun = {
  about: 'manage the people of a store',
  verbs: {
    add: {
      usage: 'add <store>',
      about: 'add a person; emails an invitation, or shows a generated password once',
      options: [
        ['--email <email>', 'email for sign-in'],
        ['--name <name>', 'name of the person'],
        ['--role <role>', 'role of the person', ROLES],
      ],
      call: ([store], options) =>
        post(`/operator/stores/${pathSegment(store)}/people`, fields(options)),
    },
    list: {
      usage: 'list <store>',
      about: 'list the people of a store',
      columns: ['person_id', 'email', 'name', 'role', 'disabled_at'],
      call: ([store]) => get(`/operator/stores/${pathSegment(store)}/people`),
    },
    invite: {
      usage: 'invite <person>',
      about: 'resend the invitation by email',
      call: ([person]) => ({
        method: 'POST',
        path: `/operator/people/${pathSegment(person)}/invitation`,
      }),
    },
    reset: {
      usage: 'reset <person>',
      about: 'create a new password, shown once; end all sessions and unlock the account',
      call: ([person]) => ({
        method: 'POST',
        path: `/operator/people/${pathSegment(person)}/password`,
      }),
    },
    'reset-factors': {
      usage: 'reset-factors <person>',
      about: 'remove passkeys, authenticator app and recovery codes; ends all sessions',
      call: ([person]) => ({
        method: 'DELETE',
        path: `/operator/people/${pathSegment(person)}/factors`,
      }),
    },
    disable: {
      usage: 'disable <person>',
      about: 'disable an account and end its sessions',
      call: ([person]) => ({
        method: 'PATCH',
        path: `/operator/people/${pathSegment(person)}`,
        body: { disabled: true },
      }),
    },
  },
}

export const clients: Noun = {
  about: 'export or erase clients named in payments, by email or phone',
  verbs: {
    export: {
      usage: 'export <store>',
      about: 'export all data about a client as JSON',
      options: CLIENT,
      allPages: true,
      isDocument: true,
      call: ([store], options) =>
        post(`/operator/stores/${pathSegment(store)}/clients/export`, fields(options)),
    },
    erase: {
      usage: 'erase <store>',
      about: 'erase the data of a client but keep the payments; cannot be undone',
      options: CLIENT,
      allPages: true,
      call: ([store], options) =>
        post(`/operator/stores/${pathSegment(store)}/clients/erase`, fields(options)),
    },
  },
}
