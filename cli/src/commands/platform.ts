import { fields, get, MODE, type Noun, PAGE, part, post, query, type Verb } from './verb.ts'

export const webhooks: Noun = {
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
}

export const rates: Noun = {
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
}

export const auditLog: Verb = {
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
}
