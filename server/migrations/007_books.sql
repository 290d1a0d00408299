-- What the people of a store see of its books, and what its owner sets up.

-- A statement finds sales and refunds through event_log, which is there already, so that a payment
-- writes no index more than before. What the operator puts in and pays out has no event; this index
-- holds nothing else.
create index transfer_by_operator on transfer (store_id, mode, at, reference)
  where kind in ('funding', 'payout');

-- Noted down at most once a minute, never by the request itself.
alter table credential add column last_used_at timestamptz;

-- When the password was last typed: what is sensitive asks for it again. Null: when signing in.
alter table person_session add column confirmed_at timestamptz;

-- A store's own logo, drawn anew by us from what was uploaded.
create table logo (
  store_id   integer primary key references store,
  hash       text collate "C" not null,
  png        bytea not null check (length(png) between 1 and 2000000),
  created_at timestamptz not null
);
