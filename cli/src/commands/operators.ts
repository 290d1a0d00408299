import { OPERATOR_ROLES, PERMISSIONS } from '@florin/contract/values.js'
import { UsageError } from '../failure.ts'
import { fields, get, type Noun, PAGE, pathSegment, post, query } from './verb.ts'

const ROLE = ['--role <role>', 'what the operator can do', OPERATOR_ROLES] as const

export const operators: Noun = {
  about: 'manage operators and their roles',
  verbs: {
    list: {
      usage: 'list',
      about: 'list operators',
      columns: ['operator_id', 'email', 'name', 'role', 'disabled_at'],
      call: () => get('/operator/operators'),
    },
    add: {
      usage: 'add',
      about: 'add an operator; emails an invitation, or shows a generated password once',
      options: [
        ['--email <email>', 'email for sign-in'],
        ['--name <name>', 'name of the person'],
        ROLE,
      ],
      call: (_, options) => post('/operator/operators', fields(options)),
    },
    change: {
      usage: 'change <operator>',
      about: 'change the role or name of an operator',
      options: [ROLE, ['--name <name>', 'name of the person']],
      call: ([operator], options) => ({
        method: 'PATCH',
        path: `/operator/operators/${pathSegment(operator)}`,
        body: fields(options),
      }),
    },
    invite: {
      usage: 'invite <operator>',
      about: 'resend the invitation by email',
      call: ([operator]) => ({
        method: 'POST',
        path: `/operator/operators/${pathSegment(operator)}/invitation`,
      }),
    },
    reset: {
      usage: 'reset <operator>',
      about: 'create a new password, shown once; end all sessions and unlock the account',
      call: ([operator]) => ({
        method: 'POST',
        path: `/operator/operators/${pathSegment(operator)}/password`,
      }),
    },
    'reset-factors': {
      usage: 'reset-factors <operator>',
      about: 'remove passkeys, authenticator app and recovery codes; ends all sessions',
      call: ([operator]) => ({
        method: 'DELETE',
        path: `/operator/operators/${pathSegment(operator)}/factors`,
      }),
    },
    'require-factor': {
      usage: 'require-factor <on-or-off>',
      about: 'require a second factor for operators or not; they have 7 days to set one up',
      call: ([value]) => ({
        method: 'PUT',
        path: '/operator/security-settings',
        body: { operator_second_factor: parseOnOff(value) },
      }),
    },
    disable: {
      usage: 'disable <operator>',
      about: 'disable an account, end its sessions and stop its tokens',
      call: ([operator]) => ({
        method: 'PATCH',
        path: `/operator/operators/${pathSegment(operator)}`,
        body: { disabled: true },
      }),
    },
  },
}

export const tokens: Noun = {
  about: 'manage the tokens of programs that call the operator API',
  verbs: {
    list: {
      usage: 'list',
      about: 'list tokens and their owners, newest first',
      options: [['--state <state>', 'active or ended', ['active', 'ended']], ...PAGE],
      columns: ['token_id', 'label', 'owner', 'scopes', 'state', 'expires_at', 'last_used_at'],
      call: (_, options) => get(`/operator/tokens${query(options)}`),
    },
    create: {
      usage: 'create <label>',
      about: 'create a token, shown once',
      options: [
        ['--scopes <list>', `one or more of ${PERMISSIONS.join(', ')}, separated by commas`],
        ['--expires-at <time>', 'when the token expires, at most 366 days ahead; default: 90 days'],
      ],
      call: ([label], { scopes, ...options }) =>
        post('/operator/tokens', {
          label,
          ...fields(options),
          ...(scopes === undefined ? {} : { scopes: String(scopes).split(',') }),
        }),
    },
    revoke: {
      usage: 'revoke <token>',
      about: 'revoke a token by its id',
      call: ([token]) => ({ method: 'DELETE', path: `/operator/tokens/${pathSegment(token)}` }),
    },
  },
}

export const approvals: Noun = {
  about: 'show large movements of money that wait for a second operator, and set the limits',
  verbs: {
    list: {
      usage: 'list',
      about: 'list approvals, newest first; operators approve them in the console',
      options: [['--state <state>', 'pending or decided', ['pending', 'decided']], ...PAGE],
      columns: ['approval_id', 'kind', 'amount', 'currency', 'state', 'requested_by', 'decided_by'],
      call: (_, options) => get(`/operator/approvals${query(options)}`),
    },
    deny: {
      usage: 'deny <approval>',
      about: 'deny a movement of money',
      call: ([approval]) =>
        post(`/operator/approvals/${pathSegment(approval)}`, { decision: 'deny' }),
    },
    limits: {
      usage: 'limits',
      about: 'list the largest amounts that one operator can move alone',
      call: () => get('/operator/approval-limits'),
    },
    'set-limit': {
      usage: 'set-limit <currency> <amount>',
      about: 'set the limit of a currency; none for no limit',
      call: ([currency, amount]) => ({
        method: 'PUT',
        path: '/operator/approval-limits',
        body: { currency, amount: amount === 'none' ? null : amount },
      }),
    },
  },
}

function parseOnOff(text: string | undefined): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new UsageError('Give on or off.')
}
