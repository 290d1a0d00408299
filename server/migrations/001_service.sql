-- The whole service: stores and their credentials, payers and their wallets, payments, the ledger.
--
-- Keys of everything on a payment's side begin with store_id, keys of everything on a payer's side
-- with wallet_id, so that the same tables can be spread over several machines by those columns.
-- Rules that a row can check by itself stand here as constraints; there are no triggers.
-- Amounts are minor units of the row's currency. Times are UTC. Ids and keys are compared byte by
-- byte, whatever the database's language: order by id is order by time, and no upgrade of a language's
-- rules may touch a unique key.

create sequence store_number as integer;
create sequence wallet_number as integer;

-- ── What the operator sets up ────────────────────────────────────────────────────────────────────

create table store (
  store_id              integer primary key check (store_id between 1 and 9999999),
  name                  text not null,
  currency              text not null,
  time_zone             text not null,
  logo                  text,
  domain                text not null,
  email                 text not null,
  phone                 text not null,
  fee_bps               integer not null default 0 check (fee_bps between 0 and 10000),
  fee_fixed             bigint not null default 0 check (fee_fixed >= 0),
  refund_fee            bigint not null default 0 check (refund_fee >= 0),
  min_amount            bigint check (min_amount > 0),
  max_amount            bigint check (max_amount > 0),
  daily_limit           bigint check (daily_limit >= 0),
  monthly_limit         bigint check (monthly_limit >= 0),
  expires_after_seconds integer not null default 900 check (expires_after_seconds between 60 and 86400),
  unique_references     boolean not null default false,
  suspended             boolean not null default false,
  -- The wallet that plays the payer when a sandbox payment is paid by API: one per store, so that
  -- no two stores ever wait for each other.
  sandbox_wallet_id     integer not null,
  created_at            timestamptz not null
);

create table credential (
  api_key              text collate "C" primary key,
  store_id             integer not null references store,
  mode                 text not null check (mode in ('live', 'sandbox')),
  label                text not null default '',
  scopes               text[] not null,
  secret_hash          bytea not null,
  -- The secret before the last rotation still works until this moment.
  previous_hash        bytea,
  previous_until       timestamptz,
  created_at           timestamptz not null,
  expires_at           timestamptz,
  revoked_at           timestamptz,
  check ((previous_hash is null) = (previous_until is null))
);
create index credential_store on credential (store_id);

-- Secrets that must be read back to sign with are encrypted, not hashed.
create table webhook_secret (
  store_id   integer not null references store,
  mode       text not null check (mode in ('live', 'sandbox')),
  encrypted  bytea not null,
  created_at timestamptz not null,
  primary key (store_id, mode)
);

-- Every rate ever set; the latest one of a pair is in force. Ten-thousandths.
create table exchange_rate (
  from_currency text not null,
  to_currency   text not null,
  set_at        timestamptz not null,
  rate          bigint not null check (rate > 0),
  primary key (from_currency, to_currency, set_at),
  check (from_currency <> to_currency)
);

create table operator_token (
  token_hash bytea primary key,
  label      text not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);

create table audit_log (
  entry_id   bigint generated always as identity primary key,
  at         timestamptz not null,
  actor      text not null,
  action     text not null,
  subject    text not null,
  before     jsonb,
  after      jsonb,
  request_id text,
  -- Unique per act: the proof that is looked for after a lost commit.
  act_id     uuid not null unique
);
create index audit_log_subject on audit_log (subject, entry_id);

-- ── Payers ───────────────────────────────────────────────────────────────────────────────────────

-- One wallet per phone number, live and sandbox together, so that a phone number and a PIN name one
-- wallet.
create table wallet_phone (
  phone     text collate "C" primary key,
  wallet_id integer not null
);

create table wallet (
  wallet_id    integer primary key,
  public_id    text not null,
  mode         text not null check (mode in ('live', 'sandbox')),
  name         text not null,
  email        text not null,
  phone        text not null,
  pin_hash     text,
  locked_until timestamptz,
  created_at   timestamptz not null
);

create table wallet_session (
  wallet_id  integer not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (wallet_id, token_hash)
);
create index wallet_session_expires_at on wallet_session using brin (expires_at);

-- Wrong sign-ins by what was typed, whether or not a wallet has that number: the answers must not
-- tell which numbers exist.
create table sign_in_guard (
  subject      text collate "C" primary key,
  failures     integer not null,
  last_at      timestamptz not null,
  locked_until timestamptz
);

create table wallet_balance (
  wallet_id integer not null,
  currency  text not null,
  balance   bigint not null check (balance >= 0),
  primary key (wallet_id, currency)
);

-- Payments that failed for want of money, so that one wallet cannot fail a shop's payments for sport.
create table wallet_failure (
  wallet_id  integer not null,
  payment_id text collate "C" not null,
  at         timestamptz not null,
  primary key (wallet_id, payment_id)
);

create table wallet_idempotency (
  wallet_id   integer not null,
  key         text collate "C" not null,
  fingerprint bytea not null,
  answer      text not null,
  created_at  timestamptz not null,
  primary key (wallet_id, key)
);
create index wallet_idempotency_created_at on wallet_idempotency using brin (created_at);

-- ── Payments ─────────────────────────────────────────────────────────────────────────────────────

create table payment (
  store_id         integer not null,
  mode             text not null check (mode in ('live', 'sandbox')),
  payment_id       text collate "C" not null,
  -- The random part of the QR code; mode, store and check digit are added when it is shown.
  qr_number        bigint not null check (qr_number between 0 and 999999999999999999),
  status           text not null check (status in ('pending', 'completed', 'failed', 'refunded', 'expired')),
  gross            bigint not null check (gross > 0),
  fee              bigint not null check (fee between 0 and gross),
  donation         bigint not null default 0 check (donation >= 0),
  currency         text not null,
  request_amount   bigint not null check (request_amount > 0),
  request_currency text not null,
  conversion_rate  bigint not null check (conversion_rate > 0),
  -- json, not jsonb: what the merchant sent comes back in the order in which it was sent.
  client           json,
  products         json,
  payload          json,
  reference_id     text collate "C",
  reference_note   text,
  webhook_url      text,
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  -- What it was counted under, whatever the store's time zone becomes later.
  usage_day        date not null,
  usage_month      date not null,
  settled_at       timestamptz,
  -- Which attempt of ours settled or refunded it: the proof that is looked for after a lost commit.
  settled_by       uuid,
  wallet_id        integer,
  failure          text check (failure in ('insufficient_balance', 'error')),
  refund_fee       bigint check (refund_fee >= 0 and refund_fee < gross),
  refunded_at      timestamptz,
  refunded_by      uuid,
  primary key (store_id, mode, payment_id),
  unique (store_id, qr_number),
  check ((status = 'pending') = (settled_at is null)),
  check ((status in ('completed', 'refunded')) = (wallet_id is not null)),
  check ((status = 'failed') = (failure is not null)),
  check ((status = 'refunded') = (refunded_at is not null and refund_fee is not null)),
  check (donation = 0 or wallet_id is not null)
-- A change of status touches no indexed column, so with room on the page it stays there and no index
-- is written: that is why no index below names the status.
) with (fillfactor = 80);
create index payment_expires_at on payment (expires_at);
-- For lists by reference, and for stores that want each reference paid once: under the store's lock a
-- plain look at this index is exact.
create index payment_reference on payment (store_id, mode, reference_id, payment_id) where reference_id is not null;

create table idempotency (
  store_id    integer not null,
  mode        text not null,
  key         text collate "C" not null,
  fingerprint bytea not null,
  answer      text not null,
  created_at  timestamptz not null,
  primary key (store_id, mode, key)
);
create index idempotency_created_at on idempotency using brin (created_at);

-- Volume of payments that are pending, completed or refunded, by the store's own days and months.
create table usage (
  store_id integer not null,
  mode     text not null,
  period   text not null check (period in ('day', 'month')),
  starts   date not null,
  used     bigint not null check (used >= 0),
  primary key (store_id, mode, period, starts)
);

-- ── Ledger ───────────────────────────────────────────────────────────────────────────────────────

-- A store's own money, and what the operator earned and collected through it. Fees and gifts are kept
-- per store: one row for all would be a row that every payment of every store waits for.
create table store_balance (
  store_id integer not null,
  mode     text not null,
  balance  bigint not null check (balance >= 0),
  fees     bigint not null default 0 check (fees >= 0),
  gifts    bigint not null default 0 check (gifts >= 0),
  primary key (store_id, mode)
);

-- Every movement that touches a store: amount from the debited to the credited account. Never
-- changed, never deleted. The key is the second wall against paying or refunding twice.
create table transfer (
  store_id  integer not null,
  reference text collate "C" not null,
  kind      text not null check (kind in ('payment', 'fee', 'donation', 'refund', 'refund_fee', 'funding', 'payout')),
  mode      text not null check (mode in ('live', 'sandbox')),
  debit     text not null,
  credit    text not null,
  amount    bigint not null check (amount > 0),
  currency  text not null,
  at        timestamptz not null,
  note      text,
  primary key (store_id, reference, kind),
  check (debit <> credit)
);

-- The payer's side: the same movements as far as they touch a wallet, and top-ups and withdrawals,
-- which touch no store.
create table wallet_transfer (
  wallet_id integer not null,
  at        timestamptz not null,
  reference text collate "C" not null,
  kind      text not null check (kind in ('payment', 'donation', 'refund', 'top_up', 'withdrawal')),
  mode      text not null check (mode in ('live', 'sandbox')),
  debit     text not null,
  credit    text not null,
  amount    bigint not null check (amount > 0),
  currency  text not null,
  store_id  integer,
  note      text,
  primary key (wallet_id, at, reference, kind),
  check (debit <> credit)
);

-- ── Background work ──────────────────────────────────────────────────────────────────────────────

-- Up to when nothing pending is left, so that a sweep need not read the past again.
create table sweep (
  name text primary key,
  done_until timestamptz not null
);
insert into sweep (name, done_until) values ('expiry', '2000-01-01 00:00:00+00');

-- Which key the secrets above are encrypted with, told by its hash: a process with another key would
-- write what nobody else can read.
create table secret_key_check (
  only_row boolean primary key default true check (only_row),
  key_hash bytea not null
);
