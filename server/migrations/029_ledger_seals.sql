-- The audit of the ledger finds rows by their time. Rows are appended in that order, so a small BRIN index is enough, and
-- a payment writes no index entry. Updated in the background.
create index transfer_at on transfer using brin (at) with (autosummarize = on);
create index wallet_transfer_at on wallet_transfer using brin (at) with (autosummarize = on);

-- What audits have proven. The next audit only adds what came after. Hashes are sums over rows, so that they depend
-- neither on the order of rows nor on settings.

-- A day (UTC) of a store: its transfers, and the payments that had to be paid by then.
create table ledger_seal (
  store_id       integer not null,
  mode           text not null check (mode in ('live', 'sandbox')),
  day            date not null,
  payments       bigint not null,
  payment_hash   numeric not null,
  transfers      bigint not null,
  transfer_hash  numeric not null,
  -- By how much the transfers changed the balances.
  balance        bigint not null,
  fees           bigint not null,
  gifts          bigint not null,
  primary key (store_id, mode, day)
);
create index ledger_seal_day on ledger_seal (day);

-- All transfers of a wallet in sealed days.
create table wallet_seal (
  wallet_id  integer not null,
  currency   text not null,
  transfers  bigint not null,
  balance    bigint not null,
  primary key (wallet_id, currency)
);

-- All payments of a link in sealed days.
create table link_seal (
  store_id  integer not null,
  mode      text not null check (mode in ('live', 'sandbox')),
  link_id   text collate "C" not null,
  payments  bigint not null,
  total     bigint not null,
  primary key (store_id, mode, link_id)
);

-- A sealed day: a chain under the secret key, so that access to the database alone is not enough to change it.
create table day_seal (
  day               date primary key,
  stores            bigint not null,
  store_hash        numeric not null,
  wallet_transfers  bigint not null,
  wallet_hash       numeric not null,
  -- Covers wallet_seal, link_seal and old usage. Only the last day of an audit has it.
  totals            text,
  -- Covers this row and the day before.
  mac               bytea not null,
  sealed_at         timestamptz not null
);

-- What an audit covered: everything or only what came after the sealed days, and which of those it checked again.
alter table ledger_audit add column is_full boolean not null default true;
alter table ledger_audit add column seals jsonb;
