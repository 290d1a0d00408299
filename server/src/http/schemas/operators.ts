import Type from 'typebox'
import { described } from './common.ts'
import { email, mode, money, nullable, optional, password, text, wireTime } from './fields.ts'
import { SessionView } from './store.ts'

export const OperatorView = Type.Object({
  operator_id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  created_at: wireTime(),
  disabled_at: nullable(wireTime()),
})

export const OperatorParams = Type.Object({ operatorId: Type.String() })
export const OperatorBody = Type.Object({
  email: email(),
  name: text(255),
  password: optional(described(password(), 'Made up and shown once where absent.')),
})
const shownOnce = described(Type.String(), 'Shown this once.')
export const CreatedOperator = Type.Object({
  ...OperatorView.properties,
  password: Type.Optional(shownOnce),
})
export const ChangeOperatorBody = Type.Object({
  name: Type.Optional(text(255)),
  disabled: Type.Optional(Type.Boolean()),
})
export const ResetOperator = Type.Object({ ...OperatorView.properties, password: shownOnce })

const { session_id, expires_at } = SessionView.properties
export const OperatorWhoAmI = Type.Object({
  operator: Type.Object({
    operator_id: Type.String(),
    email: Type.String(),
    name: Type.String(),
  }),
  session: Type.Object({ session_id, expires_at }),
})

export const SetupState = Type.Object({
  open: described(Type.Boolean(), 'Whether the first operator is still to be made.'),
})
export const SetupBody = Type.Object({
  code: described(Type.String({ maxLength: 100 }), 'Printed by the server when it starts.'),
  email: email(),
  name: text(255),
  password: password(),
})

export const PlatformBalances = Type.Object({
  balances: Type.Array(
    Type.Object({
      mode: mode(),
      currency: Type.String(),
      stores: described(money(), 'What stores can be paid out.'),
      wallets: described(money(), 'What payers can spend.'),
      fees: described(money(), 'What the platform has earned.'),
      gifts: described(money(), 'What was given to charity.'),
      external: described(
        money(),
        'All of it with a minus: what came in from outside and has not gone out again.',
      ),
    }),
  ),
})

const load = {
  requests_per_second: Type.Number(),
  faults_per_second: described(Type.Number(), 'Answers with status 500 and above.'),
  p50_ms: described(
    nullable(Type.Integer()),
    'Half of the answers came within this time; null where there was none.',
  ),
  p95_ms: nullable(Type.Integer()),
  p99_ms: nullable(Type.Integer()),
}

export const NodesData = Type.Object({
  nodes: Type.Array(
    Type.Object({
      node_id: Type.String(),
      host: Type.String(),
      pid: Type.Integer(),
      version: Type.String(),
      started_at: wireTime(),
      seen_at: wireTime(),
      state: described(
        Type.Enum(['ready', 'not_ready', 'silent']),
        'Silent: no sign of life for half a minute.',
      ),
      memory_bytes: Type.Integer(),
      ...load,
    }),
  ),
})

export const LoadData = Type.Object({
  minutes: described(
    Type.Array(Type.Object({ at: wireTime(), ...load })),
    'The last hour by the minute, all nodes together, oldest first.',
  ),
})

export const LedgerAuditView = Type.Object({
  audit_id: Type.String(),
  state: described(
    Type.Enum(['running', 'sound', 'unsound', 'interrupted']),
    'Interrupted: its process ended before it did.',
  ),
  started_by: Type.String(),
  started_at: wireTime(),
  finished_at: nullable(wireTime()),
  checks: Type.Integer(),
  checks_done: Type.Integer(),
  totals: Type.Unsafe<object | null>({
    ...Type.Object({
      payments: Type.String(),
      transfers: Type.String(),
      wallet_transfers: Type.String(),
    }),
    type: ['object', 'null'],
  }),
  findings: Type.Array(
    Type.Object({
      check: Type.String(),
      subject: Type.String(),
      expected: Type.String(),
      found: Type.String(),
    }),
  ),
})

export const StoreStanding = Type.Object({
  pending: described(
    Type.Array(Type.Object({ mode: mode(), count: Type.Integer(), amount: money() })),
    'Payments that are waiting to be paid, in modes that have any.',
  ),
  credentials: described(Type.Integer(), 'API keys that work.'),
  people: described(Type.Integer(), 'People who can sign in.'),
})
