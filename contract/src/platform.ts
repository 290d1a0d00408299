import Type, { type Static } from 'typebox'
import {
  currencyCode,
  cursorQuery,
  described,
  fromQuery,
  integer,
  limitQuery,
  listOf,
  mode,
  money,
  nextCursor,
  note,
  nullable,
  string,
  toQuery,
  wireTime,
} from './fields.ts'
import { MAX_FINDINGS } from './values.ts'

export const PlatformBalances = Type.Object(
  {
    balances: Type.Array(
      Type.Object({
        mode: mode(),
        currency: currencyCode(),
        stores: money('Sum of the balances of stores.'),
        wallets: money('Sum of the balances of wallets.'),
        fees: money('Fees that the service has earned.'),
        gifts: money('Donations of payers.'),
        external: money(
          'Money paid out minus money that came in. It balances the other amounts, so it is normally negative.',
        ),
      }),
      { description: 'One entry per mode and currency.' },
    ),
  },
  { title: 'PlatformBalances', description: 'The balances.' },
)
export type PlatformBalances = Static<typeof PlatformBalances>
export type PlatformBalance = PlatformBalances['balances'][number]

const load = {
  requests_per_second: Type.Number({ description: 'Responses per second.' }),
  faults_per_second: Type.Number({ description: 'Responses per second with status 500 or above.' }),
  p50_ms: nullable(
    integer('Median response time in milliseconds, estimated. Null if there were no responses.'),
  ),
  p95_ms: nullable(
    integer(
      '95th percentile of the response time in milliseconds, estimated. Null if there were no responses.',
    ),
  ),
  p99_ms: nullable(
    integer(
      '99th percentile of the response time in milliseconds, estimated. Null if there were no responses.',
    ),
  ),
}

export const Nodes = Type.Object(
  {
    nodes: Type.Array(
      Type.Object({
        node_id: string('Id of the process.'),
        host: string('Host name of the machine.'),
        pid: integer('Process id.'),
        version: string('Version of Florin.'),
        started_at: wireTime('Start of the process, UTC.'),
        seen_at: wireTime('Time of the last heartbeat, UTC.'),
        state: Type.Enum(['ready', 'not_ready', 'silent'], {
          description: 'State of the process; `silent` after 30 seconds without a heartbeat.',
        }),
        memory_bytes: integer('Memory that the process uses.'),
        forwarded_at: nullable(
          wireTime(
            'Time of the last request with X-Forwarded-For or Forwarded while FLORIN_TRUST_PROXY is 0, UTC. Null if there was none.',
          ),
        ),
        ...load,
      }),
      { description: 'One entry per process.' },
    ),
  },
  { title: 'Nodes', description: 'The processes.' },
)
export type Nodes = Static<typeof Nodes>
export type Node = Nodes['nodes'][number]

export const Load = Type.Object(
  {
    minutes: Type.Array(Type.Object({ at: wireTime('Start of the minute, UTC.'), ...load }), {
      description: 'The last hour by minute, for all processes together, oldest first.',
    }),
  },
  { title: 'Load', description: 'The load.' },
)
export type Load = Static<typeof Load>
export type Minute = Load['minutes'][number]

export const LedgerAuditBody = Type.Object(
  {
    full: Type.Optional(
      Type.Boolean({
        description:
          'True to check everything, including the days that earlier audits have sealed, which takes longer. By default, only new rows and some random sealed days are checked.',
      }),
    ),
  },
  { title: 'LedgerAuditBody' },
)
export type LedgerAuditBody = Static<typeof LedgerAuditBody>

export const LedgerAudit = Type.Object(
  {
    audit_id: string("The audit's id."),
    state: Type.Enum(['running', 'sound', 'unsound', 'interrupted'], {
      description:
        'State of the audit. An audit is `interrupted` if it failed or its process ended.',
    }),
    started_by: string('The operator, token or user of the command line that started the audit.'),
    started_at: wireTime('Start of the audit, UTC.'),
    finished_at: nullable(
      wireTime('End of the audit, UTC. Null while it runs, and if it was interrupted.'),
    ),
    full: Type.Boolean({
      description:
        'True if the audit checks everything. Otherwise it checks what came after the sealed days, and some of the sealed days again.',
    }),
    checks: integer('Number of steps. It is an estimate until the audit has begun.'),
    checks_done: integer('Number of finished steps.'),
    totals: nullable(
      Type.Object(
        {
          payments: string('Number of payments.'),
          transfers: string('Number of transfers of stores.'),
          wallet_transfers: string('Number of transfers of wallets.'),
        },
        {
          description:
            'Number of rows, including those of sealed days. Null until the audit is finished.',
        },
      ),
    ),
    seals: nullable(
      Type.Object(
        {
          until: nullable(
            string('Everything before this day (UTC) is sealed. Null if nothing is sealed.'),
          ),
          days: integer('Number of days that earlier audits have sealed.'),
          checked_again: integer('How many of those this audit has checked again.'),
          new_days: integer('Number of days that this audit has sealed.'),
          chance: nullable(
            Type.Number({
              description:
                'Probability that this audit finds a change inside one sealed day. Null if no day was sealed.',
            }),
          ),
          chance_in_30: nullable(
            Type.Number({ description: 'The same probability for 30 such audits.' }),
          ),
        },
        { description: 'The sealed days. Null until the audit is finished.' },
      ),
    ),
    audit_log: nullable(
      Type.Object(
        {
          sealed: string('Number of sealed entries.'),
          unsealed: string('Number of entries that are not sealed yet.'),
          head: nullable(
            string('Position and hash of the newest seal. Store it elsewhere to compare it later.'),
          ),
        },
        { description: 'The seals of the audit log. Null until the audit is finished.' },
      ),
    ),
    findings: Type.Array(
      Type.Object({
        check: string('Name of the check.'),
        subject: string('The row or account that is wrong.'),
        expected: string('The expected value.'),
        found: string('The actual value.'),
      }),
      {
        description: `Errors in the ledger and the audit log, at most ${MAX_FINDINGS} per check. Empty if both are sound.`,
      },
    ),
  },
  { title: 'LedgerAudit', description: 'The audit.' },
)
export type LedgerAudit = Static<typeof LedgerAudit>

export const LedgerAuditList = Type.Object(
  {
    audits: Type.Array(LedgerAudit, { description: 'Audits, newest first.' }),
    next_cursor: nextCursor(),
  },
  { title: 'LedgerAuditList', description: 'One page of audits.' },
)
export type LedgerAuditList = Static<typeof LedgerAuditList>

export const RateParams = Type.Object({
  from: string("ISO 4217 code of the payment's currency."),
  to: string("ISO 4217 code of the store's currency."),
})
export type RateParams = Static<typeof RateParams>

export const RateBody = Type.Object(
  {
    rate: Type.String({
      maxLength: 20,
      description:
        'Value of one unit of `from` in `to`. Above 0, with at most eight digits before the decimal point and four after it.',
      examples: ['1.0842'],
    }),
  },
  { title: 'RateBody' },
)
export type RateBody = Static<typeof RateBody>

export const Rate = Type.Object(
  {
    from: currencyCode("The payment's currency."),
    to: currencyCode("The store's currency."),
    rate: string('Value of one unit of `from` in `to`, with four decimals.'),
    set_at: wireTime('Time when the rate was set, UTC.'),
  },
  { title: 'Rate', description: 'The rate.' },
)
export type Rate = Static<typeof Rate>

export const RateList = Type.Object(
  { rates: listOf(Rate, 'The current rate of each pair of currencies.') },
  { title: 'RateList', description: 'The rates.' },
)
export type RateList = Static<typeof RateList>

export const RateHistory = Type.Object(
  {
    rates: Type.Array(Rate, { description: 'Rates, newest first.' }),
    next_cursor: nextCursor(),
  },
  { title: 'RateHistory', description: 'One page of rates.' },
)
export type RateHistory = Static<typeof RateHistory>

export const AuditQuery = Type.Object({
  actor: Type.Optional(described(note(255), 'Filters by actor.')),
  action: Type.Optional(described(note(255), 'Filters by action.')),
  subject: Type.Optional(described(note(255), 'Filters by subject.')),
  match: Type.Optional(
    Type.Enum(['exact', 'part'], {
      default: 'exact',
      description:
        'With `part`, the filters match any part of the text and ignore case. A page then searches a limited number of entries.',
    }),
  ),
  from: fromQuery(),
  to: toQuery(),
  limit: limitQuery(),
  cursor: cursorQuery(),
})
export type AuditQuery = Static<typeof AuditQuery>

export const AuditEntry = Type.Object(
  {
    id: string("The entry's id."),
    at: wireTime('Time of the change, UTC.'),
    actor: string(
      'The operator, token, user of the command line, person, payer or API key that made the change. `sign-up` for a payer who opened a wallet.',
    ),
    action: string('The kind of change, such as `store.create`.'),
    subject: string('The changed object, such as `store:7`.'),
    before: Type.Unknown({ description: 'The object before the change.' }),
    after: Type.Unknown({ description: 'The object after the change.' }),
    request_id: nullable(
      string('The `x-request-id` of the request. Null if no request made the change.'),
    ),
  },
  { title: 'AuditEntry', description: 'The entry.' },
)
export type AuditEntry = Static<typeof AuditEntry>

const ListedAuditEntry = Type.Object(
  {
    ...AuditEntry.properties,
    actor_name: nullable(
      string('Current name of the operator, person or payer. Null if it is not known.'),
    ),
    subject_name: nullable(
      string('Current name of the store, wallet, person or operator. Null if it is not known.'),
    ),
    subject_currency: nullable(
      currencyCode('Currency of the store, for a change of a store. Null otherwise.'),
    ),
  },
  { title: 'ListedAuditEntry', description: 'The entry, with names and currency.' },
)
export type ListedAuditEntry = Static<typeof ListedAuditEntry>

export const AuditLog = Type.Object(
  {
    entries: Type.Array(ListedAuditEntry, { description: 'Entries, newest first.' }),
    next_cursor: nextCursor(),
    looked_until: nullable(
      wireTime('Time back to which this page has searched, UTC. Null if it reached the end.'),
    ),
  },
  { title: 'AuditLog', description: 'One page of the audit log.' },
)
export type AuditLog = Static<typeof AuditLog>
