import { fields, get, MODE, type Noun, PAGE, part, post, query, type Verb } from './verb.ts'

export const webhooks: Noun = {
  about: 'show the webhook queue and rotate secrets',
  verbs: {
    queue: {
      usage: 'queue',
      about: 'show the queue and failing receivers',
      call: () => get('/operator/webhooks'),
    },
    'rotate-secret': {
      usage: 'rotate-secret <store>',
      about: 'create a new secret, shown once; both secrets sign for a day',
      options: [MODE],
      call: ([store], options) =>
        post(`/operator/stores/${part(store)}/webhook-secret/rotate`, fields(options)),
    },
  },
}

export const rates: Noun = {
  about: 'manage exchange rates',
  verbs: {
    list: { usage: 'list', about: 'list current rates', call: () => get('/operator/rates') },
    set: {
      usage: 'set <from> <to> <rate>',
      about: 'set how much of <to> one unit of <from> is worth',
      call: ([from, to, rate]) => ({
        method: 'PUT',
        path: `/operator/rates/${part(from)}/${part(to)}`,
        body: { rate },
      }),
    },
    history: {
      usage: 'history <from> <to>',
      about: 'show a rate and its history',
      call: ([from, to]) => get(`/operator/rates/${part(from)}/${part(to)}`),
    },
  },
}

export const auditLog: Verb = {
  usage: 'audit-log',
  about: 'show the audit log, newest first',
  options: [
    ['--actor <name>', 'only by this user'],
    ['--action <name>', 'only this action, such as store.change'],
    ['--subject <name>', 'only this target, such as store:1'],
    ['--from <time>', 'start time, inclusive'],
    ['--to <time>', 'end time, exclusive'],
    ...PAGE,
  ],
  columns: ['at', 'actor', 'action', 'subject', 'changes'],
  call: (_, options) => get(`/operator/audit-log${query(options)}`),
}
