import Type, { type Static } from 'typebox'
import {
  boolean,
  currencyCode,
  described,
  email,
  integer,
  mode,
  money,
  nullable,
  optional,
  password,
  string,
  text,
  wireTime,
} from './fields.ts'
import { PersonSession } from './store.ts'

const operator = {
  operator_id: string("The operator's id."),
  email: string('With which they sign in.'),
  name: string('What they are called.'),
}
export const Operator = Type.Object(
  {
    ...operator,
    created_at: wireTime('Since when they may sign in, UTC.'),
    disabled_at: nullable(wireTime('Since when they may not any more, UTC.')),
  },
  { title: 'Operator' },
)
export type Operator = Static<typeof Operator>

export const OperatorParams = Type.Object({ operatorId: string("The operator's id.") })
export type OperatorParams = Static<typeof OperatorParams>
const profile = {
  email: described(email(), 'With which they sign in.'),
  name: described(text(255), 'What they are called.'),
}
export const OperatorBody = Type.Object(
  {
    ...profile,
    password: optional(described(password(), 'Made up and shown once where absent.')),
  },
  { title: 'OperatorBody' },
)
export type OperatorBody = Static<typeof OperatorBody>
const shownOnce = described(Type.String(), 'Shown this once.')
export const CreatedOperator = Type.Object(
  {
    ...Operator.properties,
    password: Type.Optional(shownOnce),
  },
  { title: 'CreatedOperator' },
)
export type CreatedOperator = Static<typeof CreatedOperator>
export const ChangeOperatorBody = Type.Object(
  {
    name: Type.Optional(profile.name),
    disabled: Type.Optional(boolean('Whether they are shut out; true ends all their sessions.')),
  },
  { title: 'ChangeOperatorBody' },
)
export type ChangeOperatorBody = Static<typeof ChangeOperatorBody>
export const ResetOperator = Type.Object(
  { ...Operator.properties, password: shownOnce },
  { title: 'ResetOperator' },
)
export type ResetOperator = Static<typeof ResetOperator>

const { session_id, expires_at } = PersonSession.properties
export const SignedInOperator = Type.Object(
  {
    operator: Type.Object(operator, { description: 'Who is signed in.' }),
    session: Type.Object({ session_id, expires_at }, { description: 'The session that asks.' }),
  },
  { title: 'SignedInOperator' },
)
export type SignedInOperator = Static<typeof SignedInOperator>

export const SetupState = Type.Object(
  {
    open: described(Type.Boolean(), 'Whether the first operator is still to be made.'),
  },
  { title: 'SetupState' },
)
export type SetupState = Static<typeof SetupState>
export const SetupBody = Type.Object(
  {
    code: described(Type.String({ maxLength: 100 }), 'Printed by the server when it starts.'),
    ...profile,
    password: described(password(), 'The one that they will sign in with.'),
  },
  { title: 'SetupBody' },
)
export type SetupBody = Static<typeof SetupBody>

export const PlatformBalances = Type.Object(
  {
    balances: Type.Array(
      Type.Object({
        mode: mode(),
        currency: currencyCode(),
        stores: described(money(), 'What stores can be paid out.'),
        wallets: described(money(), 'What payers can spend.'),
        fees: described(money(), 'What the platform has earned.'),
        gifts: described(money(), 'What was given to charity.'),
        external: described(
          money(),
          'All of it with a minus: what came in from outside and has not gone out again.',
        ),
      }),
      { description: 'One for each mode and currency.' },
    ),
  },
  { title: 'PlatformBalances' },
)
export type PlatformBalances = Static<typeof PlatformBalances>

const load = {
  requests_per_second: Type.Number({ description: 'Answers a second.' }),
  faults_per_second: described(Type.Number(), 'Answers with status 500 and above.'),
  p50_ms: described(
    nullable(Type.Integer()),
    'Half of the answers came within this time; null where there was none.',
  ),
  p95_ms: nullable(integer('The same for 95 of 100.')),
  p99_ms: nullable(integer('The same for 99 of 100.')),
}

export const Nodes = Type.Object(
  {
    nodes: Type.Array(
      Type.Object({
        node_id: string('Names the process.'),
        host: string('The machine that it runs on.'),
        pid: integer('Its number there.'),
        version: string('Which Florin it runs.'),
        started_at: wireTime('Since when, UTC.'),
        seen_at: wireTime('When it was last heard of, UTC.'),
        state: described(
          Type.Enum(['ready', 'not_ready', 'silent']),
          'Silent: no sign of life for half a minute.',
        ),
        memory_bytes: integer('What it takes of memory.'),
        forwarded_at: nullable(
          wireTime(
            'When it last saw X-Forwarded-For or Forwarded while FLORIN_TRUST_PROXY is 0, UTC.',
          ),
        ),
        ...load,
      }),
      { description: 'Every process that serves.' },
    ),
  },
  { title: 'Nodes' },
)
export type Nodes = Static<typeof Nodes>

export const Load = Type.Object(
  {
    minutes: described(
      Type.Array(Type.Object({ at: wireTime('When it begins, UTC.'), ...load })),
      'The last hour by the minute, all nodes together, oldest first.',
    ),
  },
  { title: 'Load' },
)
export type Load = Static<typeof Load>

export const LedgerAudit = Type.Object(
  {
    audit_id: string('Names the audit.'),
    state: described(
      Type.Enum(['running', 'sound', 'unsound', 'interrupted']),
      'Interrupted: its process ended before it did.',
    ),
    started_by: string('Who asked for it.'),
    started_at: wireTime('When, UTC.'),
    finished_at: nullable(wireTime('When it came to its end, UTC.')),
    checks: integer('How many checks there are.'),
    checks_done: integer('How many of them are done.'),
    totals: Type.Unsafe<object | null>({
      ...Type.Object({
        payments: string('How many there are.'),
        transfers: string('How many on the side of stores.'),
        wallet_transfers: string('How many on the side of wallets.'),
      }),
      type: ['object', 'null'],
      description: 'What was looked at; null until it is done.',
    }),
    findings: Type.Array(
      Type.Object({
        check: string('Which check found it.'),
        subject: string('What is wrong.'),
        expected: string('What it should be.'),
        found: string('What it is.'),
      }),
      { description: 'Everything that is wrong; empty where the ledger is sound.' },
    ),
  },
  { title: 'LedgerAudit' },
)
export type LedgerAudit = Static<typeof LedgerAudit>

export const StoreSummary = Type.Object(
  {
    pending: described(
      Type.Array(
        Type.Object({
          mode: mode(),
          count: integer('How many.'),
          amount: money('Gross.'),
        }),
      ),
      'Payments that are waiting to be paid, in modes that have any.',
    ),
    credentials: described(Type.Integer(), 'API keys that work.'),
    people: described(Type.Integer(), 'People who can sign in.'),
  },
  { title: 'StoreSummary' },
)
export type StoreSummary = Static<typeof StoreSummary>
