-- Old months whose transfers of payments are in files outside the database. Payments, and the transfers of operators, stay.

-- An archived month (UTC): a chain under the secret key, like the sealed days.
create table archive (
  month                 date primary key,
  -- The hash of the file.
  sha256                bytea not null,
  -- What the file contains: the number of transfers, and their hashes as in the seals.
  transfers             bigint not null,
  transfer_hash         numeric not null,
  wallet_transfers      bigint not null,
  wallet_transfer_hash  numeric not null,
  -- The hashes of the rows of this month in the tables below.
  sums                  text not null,
  -- Covers this row and the month before.
  mac                   bytea not null,
  archived_at           timestamptz not null
);

-- The archived transfers of a store in 15 minutes. Every time zone differs from UTC by a multiple of that, so the close of any
-- local day is a sum of rows.
create table archived_line (
  store_id  integer not null,
  mode      text not null check (mode in ('live', 'sandbox')),
  starts    timestamptz not null,
  kind      text not null,
  count     bigint not null,
  amount    bigint not null,
  primary key (store_id, mode, starts, kind)
);

-- The archived transfers of a wallet in a month.
create table archived_wallet (
  wallet_id  integer not null,
  currency   text not null,
  month      date not null,
  transfers  bigint not null,
  balance    bigint not null,
  primary key (wallet_id, currency, month)
);

-- The payments of a wallet whose transfers are archived, to find and erase them.
create table archived_payer (
  wallet_id    integer not null,
  store_id     integer not null,
  month        date not null,
  payment_ids  text[] collate "C" not null,
  primary key (wallet_id, store_id, month)
);
