-- True if another person chose or saw the password. The account must then choose a new one.
alter table person add column password_change_required boolean not null default false;
alter table operator add column password_change_required boolean not null default false;
-- The last sign-in. Null before the first one, which is not reported as a new device.
alter table person add column signed_in_at timestamptz;
alter table operator add column signed_in_at timestamptz;

alter table person_session add column address text not null default '';
alter table operator_session add column address text not null default '';
alter table operator_session add column confirmed_at timestamptz;

-- The roles that need a second factor, each with the time when the requirement began:
-- {"owner": "2026-01-01T00:00:00.000Z"}.
alter table store add column second_factor_since jsonb not null default '{}';

-- Settings of the service that are on, each with the time when it was turned on.
create table security_setting (
  name  text collate "C" primary key,
  since timestamptz not null
);

-- Second factors of people and operators. `account_id` is the id of either.
create table passkey (
  passkey_id    text collate "C" primary key,
  account_id    text collate "C" not null,
  credential_id bytea not null unique,
  public_key    bytea not null,
  counter       bigint not null,
  transports    text[] not null,
  name          text not null,
  created_at    timestamptz not null,
  last_used_at  timestamptz
);
create index on passkey (account_id);

create table totp (
  account_id   text collate "C" primary key,
  -- Encrypted.
  secret       bytea not null,
  -- Null until a code of the new secret has been entered. Until then it is not a factor.
  activated_at timestamptz,
  -- The time step of the last accepted code. A code works once.
  last_step    bigint not null default 0
);

-- Unused codes. A code is deleted when it is used.
create table recovery_code (
  account_id text collate "C" not null,
  code_hash  bytea not null,
  primary key (account_id, code_hash)
);

-- WebAuthn challenges are signed and expire, so only the used ones are stored, until they expire.
create table used_challenge (
  challenge_hash bytea primary key,
  expires_at     timestamptz not null
);
create index on used_challenge (expires_at);
