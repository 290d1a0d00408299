-- The people of a store: who stands at the till, and who looks after the shop.

create table person (
  person_id     text collate "C" primary key,
  store_id      integer not null references store,
  -- What one signs in with, so it names one person of one store. Lower case, because two spellings of
  -- an address are one person.
  email         text collate "C" not null unique check (email = lower(email)),
  name          text not null,
  role          text not null check (role in ('owner', 'manager', 'cashier', 'viewer')),
  password_hash text not null,
  created_at    timestamptz not null,
  disabled_at   timestamptz
);
create index person_store on person (store_id);

create table person_session (
  -- Names the session in lists; what opens it is the token, of which only the hash is kept.
  session_id   text collate "C" primary key,
  person_id    text collate "C" not null references person,
  token_hash   bytea not null unique,
  created_at   timestamptz not null,
  last_used_at timestamptz not null,
  expires_at   timestamptz not null,
  user_agent   text not null
);
create index person_session_person on person_session (person_id);

-- The largest payment that a role may refund: null for no cap, zero for no refund at all. Owners have
-- no cap, and a cashier refunds nothing until the operator says how much.
alter table store add column refund_cap_manager bigint check (refund_cap_manager >= 0);
alter table store add column refund_cap_cashier bigint default 0 check (refund_cap_cashier >= 0);
