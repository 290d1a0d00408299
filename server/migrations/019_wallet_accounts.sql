-- Activation, sign-up and settings of wallets by their payers.

-- The payer's own limits in minor units by currency, such as {"USD": "5000"}. A payment above its limit needs the PIN.
alter table wallet add column pin_limits jsonb not null default '{}';

alter table wallet_session add column user_agent text not null default '';
alter table wallet_session add column address text not null default '';
-- Null for a session that was not used since this migration.
alter table wallet_session add column last_used_at timestamptz;

-- The code with which a payer chooses the PIN of a new or reset wallet. A keyed hash: the key is the pepper, which is
-- not in the database.
create table wallet_activation (
  wallet_id  integer primary key,
  code_hash  bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- Sign-ups that wait for the code from the mail.
create table wallet_signup (
  code_hash  bytea primary key,
  mode       text not null check (mode in ('live', 'sandbox')),
  name       text not null,
  -- In lower case.
  email      text collate "C" not null,
  phone      text collate "C" not null,
  locale     text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index wallet_signup_email on wallet_signup (email, created_at);

-- The operator's limits. A payment above the limit needs the PIN of the wallet.
create table pin_limit (
  currency text primary key,
  amount   bigint not null check (amount >= 0)
);
