import type { Role } from '@florin/server/core/person.js'
import type { ApiKey } from '../kit/console/ApiKeys.tsx'
import type { Mode, StoreSettings } from '../kit/store/types.ts'

// The API's responses, as far as the operator console uses them. Amounts are decimal strings.

export type Store = Omit<StoreSettings, 'logo'> & {
  readonly id: number
  readonly logo: string | null
  readonly suspended: boolean
  readonly created_at: string
  readonly balances?: readonly StoreBalance[]
}

export type StoreBalance = {
  readonly mode: Mode
  readonly balance: string
  readonly fees: string
  readonly gifts: string
}

export type Credential = ApiKey & { readonly mode: Mode; readonly scopes: readonly string[] }
export type IssuedCredential = Credential & {
  readonly api_secret: string
  readonly webhook_secret: string
}

export type Person = {
  readonly person_id: string
  readonly store_id: number
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly created_at: string
  readonly disabled_at: string | null
}
export type OperatorAccount = Omit<Person, 'person_id' | 'store_id' | 'role'> & {
  readonly operator_id: string
}

export type Wallet = {
  readonly wallet_id: string
  readonly mode: Mode
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly locked_until: string | null
  readonly erased_at: string | null
  readonly balances: readonly { readonly currency: string; readonly balance: string }[]
}

export type Moved = { readonly reference: string; readonly balance: string }

export type Rate = {
  readonly from: string
  readonly to: string
  readonly rate: string
  readonly set_at: string
}

export type Load = {
  readonly requests_per_second: number
  readonly faults_per_second: number
  readonly p50_ms: number | null
  readonly p95_ms: number | null
  readonly p99_ms: number | null
}
export type Minute = Load & { readonly at: string }

export type Node = Load & {
  readonly node_id: string
  readonly host: string
  readonly pid: number
  readonly version: string
  readonly started_at: string
  readonly seen_at: string
  readonly state: 'ready' | 'not_ready' | 'silent'
  readonly memory_bytes: number
  readonly forwarded_at: string | null
}

export type Queue = {
  readonly queue: readonly {
    readonly mode: Mode
    readonly waiting: number
    readonly failing: number
    readonly exhausted: number
    readonly oldest_due_at: string | null
  }[]
  readonly failing_hosts: readonly FailingHost[]
}
export type FailingHost = {
  readonly host: string
  readonly waiting: number
  readonly exhausted: number
  readonly stores: number
  readonly last_error: string | null
}

export type LedgerAudit = {
  readonly audit_id: string
  readonly state: 'running' | 'sound' | 'unsound' | 'interrupted'
  readonly started_by: string
  readonly started_at: string
  readonly finished_at: string | null
  readonly checks: number
  readonly checks_done: number
  readonly totals: {
    readonly payments: string
    readonly transfers: string
    readonly wallet_transfers: string
  } | null
  readonly findings: readonly {
    readonly check: string
    readonly subject: string
    readonly expected: string
    readonly found: string
  }[]
}

export type LogEntry = {
  readonly id: string
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

export type Balance = {
  readonly mode: Mode
  readonly currency: string
  readonly stores: string
  readonly wallets: string
  readonly fees: string
  readonly gifts: string
  readonly external: string
}

/** The payments, keys and people that a suspension affects. */
export type StoreStanding = {
  readonly pending: readonly {
    readonly mode: Mode
    readonly count: number
    readonly amount: string
  }[]
  readonly credentials: number
  readonly people: number
}

type ListPage = { readonly next_cursor: string | null }
export type StorePage = ListPage & { readonly stores: readonly Store[] }
export type WalletPage = ListPage & { readonly wallets: readonly Wallet[] }
export type RatePage = ListPage & { readonly rates: readonly Rate[] }
export type AuditPage = ListPage & { readonly audits: readonly LedgerAudit[] }
export type LogEntryPage = ListPage & { readonly entries: readonly LogEntry[] }
