-- What became of payments, and telling the merchant's server of it.

-- Every outcome of every payment, written in the transaction that changed it. The body is frozen, so
-- that every attempt carries the same bytes. Never changed, but for the moment it was last asked for
-- again.
create table event (
  store_id   integer not null,
  payment_id text collate "C" not null,
  -- A payment settles once and may then be refunded: one and two.
  sequence   integer not null check (sequence in (1, 2)),
  mode       text not null check (mode in ('live', 'sandbox')),
  type       text not null check (type in ('payment.completed', 'payment.failed', 'payment.expired', 'payment.refunded')),
  body       text not null,
  url        text,
  created_at timestamptz not null,
  resent_at  timestamptz,
  primary key (store_id, payment_id, sequence),
  check ((type = 'payment.refunded') = (sequence = 2))
);
create index event_log on event (store_id, mode, created_at, payment_id, sequence);
create index event_resent on event (store_id, mode, resent_at, payment_id, sequence) where resent_at is not null;

-- Events that are still to be delivered, each with its own clock. A delivered one is deleted, so this
-- stays small. Without a due time nobody tries again by himself.
create table delivery (
  store_id     integer not null,
  payment_id   text collate "C" not null,
  sequence     integer not null,
  mode         text not null,
  url          text not null,
  host         text not null,
  attempts     integer not null default 0 check (attempts >= 0),
  created_at   timestamptz not null,
  due_at       timestamptz,
  -- Who is at it, and until when the others leave it alone.
  lease        uuid,
  leased_until timestamptz not null default '-infinity',
  last_error   text,
  primary key (store_id, payment_id, sequence)
) with (fillfactor = 70);
create index delivery_due on delivery (due_at) where due_at is not null;

-- Every call that was made, with what came back.
create table delivery_attempt (
  store_id    integer not null,
  payment_id  text collate "C" not null,
  at          timestamptz not null,
  sequence    integer not null,
  mode        text not null,
  number      integer not null,
  duration_ms integer not null,
  status_code integer,
  error       text,
  answer      text,
  primary key (store_id, payment_id, at, sequence),
  check ((status_code is null) = (error is not null))
);

-- While a secret is being replaced both sign.
alter table webhook_secret add column previous_encrypted bytea;
alter table webhook_secret add column previous_until timestamptz;
alter table webhook_secret add check ((previous_encrypted is null) = (previous_until is null));
