import { MAIL_STATES, SECURITY_EVENT_KINDS } from '@florin/contract/values.js'
import { LOCALES } from '@florin/shared/locales.js'
import { fields, get, MODE, type Noun, PAGE, pathSegment, post, query, type Verb } from './verb.ts'

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
      about: 'create and show a new secret; for a day, both secrets sign',
      options: [MODE],
      call: ([store], options) =>
        post(`/operator/stores/${pathSegment(store)}/webhook-secret/rotate`, fields(options)),
    },
  },
}

export const mail: Noun = {
  about: 'show emails and send a test email',
  verbs: {
    list: {
      usage: 'list',
      about: 'list the emails that are still stored, newest first; --json also shows the queue',
      options: [
        ['--state <state>', 'only queued, sent or failed emails', MAIL_STATES],
        ['--to <address>', 'only to this address'],
        ...PAGE,
      ],
      columns: ['mail_id', 'to', 'template', 'state', 'attempts', 'last_error', 'created_at'],
      call: (_, options) => get(`/operator/mails${query(options)}`),
    },
    test: {
      usage: 'test <address>',
      about: 'send a test email; "mail list" shows whether it was sent',
      options: [['--locale <language>', 'the language of the email', LOCALES]],
      call: ([to], options) => post('/operator/mails/test', { to, ...fields(options) }),
    },
    resend: {
      usage: 'resend <mail>',
      about: 'resend a failed email',
      call: ([mailId]) => post(`/operator/mails/${pathSegment(mailId)}/resend`, {}),
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
        path: `/operator/rates/${pathSegment(from)}/${pathSegment(to)}`,
        body: { rate },
      }),
    },
    history: {
      usage: 'history <from> <to>',
      about: 'list a rate and its history, newest first',
      options: PAGE,
      call: ([from, to], options) =>
        get(`/operator/rates/${pathSegment(from)}/${pathSegment(to)}${query(options)}`),
    },
  },
}

export const auditLog: Verb = {
  usage: 'audit-log',
  about: 'show the audit log, newest first',
  options: [
    ['--actor <name>', 'only by this actor, such as alice@example.com (operator)'],
    ['--action <name>', 'only this action, such as store.change'],
    ['--subject <name>', 'only this target, such as store:1'],
    ['--from <time>', 'start time, inclusive'],
    ['--to <time>', 'end time, exclusive'],
    ...PAGE,
  ],
  columns: ['at', 'actor', 'action', 'subject', 'changes'],
  call: (_, options) => get(`/operator/audit-log${query(options)}`),
}

export const securityEvents: Verb = {
  usage: 'security-events',
  about: 'show sign-ins and changes of accounts and credentials, newest first',
  options: [
    ['--kind <kind>', 'only this kind, such as sign_in_failed', SECURITY_EVENT_KINDS],
    ['--account <account>', 'only this account: id or email address'],
    ['--store <store>', 'only of this store'],
    ['--address <address>', 'only from this IP address'],
    ['--from <time>', 'start time, inclusive'],
    ['--to <time>', 'end time, exclusive'],
    ...PAGE,
  ],
  columns: ['at', 'kind', 'account_email', 'actor', 'details', 'address', 'device'],
  call: (_, options) => get(`/operator/security-events${query(options)}`),
}

export const paymentAudit: Verb = {
  usage: 'audit-payment <payment>',
  about:
    'show which API key or person created or refunded a payment, and which person cancelled it',
  call: ([payment]) => get(`/operator/payments/${pathSegment(payment)}/audit`),
}
