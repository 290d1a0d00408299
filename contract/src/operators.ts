import Type from 'typebox'
import { described } from './common.ts'
import {
  currencyShown,
  email,
  mode,
  money,
  nullable,
  optional,
  password,
  shown,
  text,
  whole,
  wireTime,
  yesOrNo,
} from './fields.ts'
import { SessionView } from './store.ts'

const operator = {
  operator_id: shown("The operator's id."),
  email: shown('With which they sign in.'),
  name: shown('What they are called.'),
}
export const OperatorView = Type.Object({
  ...operator,
  created_at: wireTime('Since when they may sign in, UTC.'),
  disabled_at: nullable(wireTime('Since when they may not any more, UTC.')),
})

export const OperatorParams = Type.Object({ operatorId: shown("The operator's id.") })
const profile = {
  email: described(email(), 'With which they sign in.'),
  name: described(text(255), 'What they are called.'),
}
export const OperatorBody = Type.Object({
  ...profile,
  password: optional(described(password(), 'Made up and shown once where absent.')),
})
const shownOnce = described(Type.String(), 'Shown this once.')
export const CreatedOperator = Type.Object({
  ...OperatorView.properties,
  password: Type.Optional(shownOnce),
})
export const ChangeOperatorBody = Type.Object({
  name: Type.Optional(profile.name),
  disabled: Type.Optional(yesOrNo('Whether they are shut out; true ends all their sessions.')),
})
export const ResetOperator = Type.Object({ ...OperatorView.properties, password: shownOnce })

const { session_id, expires_at } = SessionView.properties
export const OperatorWhoAmI = Type.Object({
  operator: Type.Object(operator, { description: 'Who is signed in.' }),
  session: Type.Object({ session_id, expires_at }, { description: 'The session that asks.' }),
})

export const SetupState = Type.Object({
  open: described(Type.Boolean(), 'Whether the first operator is still to be made.'),
})
export const SetupBody = Type.Object({
  code: described(Type.String({ maxLength: 100 }), 'Printed by the server when it starts.'),
  ...profile,
  password: described(password(), 'The one that they will sign in with.'),
})

export const PlatformBalances = Type.Object({
  balances: Type.Array(
    Type.Object({
      mode: mode(),
      currency: currencyShown(),
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
})

const load = {
  requests_per_second: Type.Number({ description: 'Answers a second.' }),
  faults_per_second: described(Type.Number(), 'Answers with status 500 and above.'),
  p50_ms: described(
    nullable(Type.Integer()),
    'Half of the answers came within this time; null where there was none.',
  ),
  p95_ms: nullable(whole('The same for 95 of 100.')),
  p99_ms: nullable(whole('The same for 99 of 100.')),
}

export const NodesData = Type.Object({
  nodes: Type.Array(
    Type.Object({
      node_id: shown('Names the process.'),
      host: shown('The machine that it runs on.'),
      pid: whole('Its number there.'),
      version: shown('Which Florin it runs.'),
      started_at: wireTime('Since when, UTC.'),
      seen_at: wireTime('When it was last heard of, UTC.'),
      state: described(
        Type.Enum(['ready', 'not_ready', 'silent']),
        'Silent: no sign of life for half a minute.',
      ),
      memory_bytes: whole('What it takes of memory.'),
      forwarded_at: nullable(
        wireTime(
          'When it last saw X-Forwarded-For or Forwarded while FLORIN_TRUST_PROXY is 0, UTC.',
        ),
      ),
      ...load,
    }),
    { description: 'Every process that serves.' },
  ),
})

export const LoadData = Type.Object({
  minutes: described(
    Type.Array(Type.Object({ at: wireTime('When it begins, UTC.'), ...load })),
    'The last hour by the minute, all nodes together, oldest first.',
  ),
})

export const LedgerAuditView = Type.Object({
  audit_id: shown('Names the audit.'),
  state: described(
    Type.Enum(['running', 'sound', 'unsound', 'interrupted']),
    'Interrupted: its process ended before it did.',
  ),
  started_by: shown('Who asked for it.'),
  started_at: wireTime('When, UTC.'),
  finished_at: nullable(wireTime('When it came to its end, UTC.')),
  checks: whole('How many checks there are.'),
  checks_done: whole('How many of them are done.'),
  totals: Type.Unsafe<object | null>({
    ...Type.Object({
      payments: shown('How many there are.'),
      transfers: shown('How many on the side of stores.'),
      wallet_transfers: shown('How many on the side of wallets.'),
    }),
    type: ['object', 'null'],
    description: 'What was looked at; null until it is done.',
  }),
  findings: Type.Array(
    Type.Object({
      check: shown('Which check found it.'),
      subject: shown('What is wrong.'),
      expected: shown('What it should be.'),
      found: shown('What it is.'),
    }),
    { description: 'Everything that is wrong; empty where the ledger is sound.' },
  ),
})

export const StoreStanding = Type.Object({
  pending: described(
    Type.Array(
      Type.Object({
        mode: mode(),
        count: whole('How many.'),
        amount: money('Gross.'),
      }),
    ),
    'Payments that are waiting to be paid, in modes that have any.',
  ),
  credentials: described(Type.Integer(), 'API keys that work.'),
  people: described(Type.Integer(), 'People who can sign in.'),
})
