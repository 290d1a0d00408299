-- Who runs the service, and how it is doing.

-- Somebody who may do everything. Never deleted, only disabled: the first one closes the setup for good.
create table operator (
  operator_id   text collate "C" primary key,
  email         text collate "C" not null unique check (email = lower(email)),
  name          text not null,
  password_hash text not null,
  created_at    timestamptz not null,
  disabled_at   timestamptz
);

-- A table of their own, so that no session of a store's person can ever be one of an operator.
create table operator_session (
  session_id   text collate "C" primary key,
  operator_id  text collate "C" not null references operator,
  token_hash   bytea not null unique,
  created_at   timestamptz not null,
  last_used_at timestamptz not null,
  expires_at   timestamptz not null,
  user_agent   text not null
);
create index operator_session_operator on operator_session (operator_id);

-- Unlike the lock after wrong PINs, this one has no end of its own.
alter table wallet add column locked_by_operator boolean not null default false;

-- The log is asked who and what, page by page; when it was lies in the order of the rows.
create index audit_log_actor on audit_log (actor, entry_id);
create index audit_log_action on audit_log (action, entry_id);
create index audit_log_at on audit_log using brin (at);

-- Proofs of the ledger that were asked for, each with how far it has come.
create table ledger_audit (
  audit_id    text collate "C" primary key,
  started_by  text not null,
  started_at  timestamptz not null,
  -- Renewed while it runs; one that is silent for long died with its process.
  seen_at     timestamptz not null,
  checks      integer not null,
  checks_done integer not null default 0,
  finished_at timestamptz,
  -- Null until it has come to its end: what was counted, and what is wrong.
  totals      jsonb,
  findings    jsonb,
  check ((finished_at is null) = (findings is null)),
  check ((finished_at is null) = (totals is null))
);

-- Every process that serves, renewed every few seconds by itself. One that stops takes its row along.
create table node (
  node_id    text collate "C" primary key,
  host       text not null,
  pid        integer not null,
  version    text not null,
  started_at timestamptz not null,
  seen_at    timestamptz not null,
  is_ready   boolean not null,
  memory     bigint not null
);

-- What a node answered since its last sample: how many, how many of them with a fault of ours, and how
-- many within each of the steps of time that core/load.ts names. Kept for a day.
create table node_sample (
  at       timestamptz not null,
  node_id  text collate "C" not null,
  seconds  real not null check (seconds > 0),
  answers  integer not null,
  faults   integer not null,
  within   integer[] not null,
  primary key (at, node_id)
);
