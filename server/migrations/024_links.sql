-- Links: reusable invitations to pay a store. A link makes no payment by itself, a signed-in wallet does.
create table link (
  store_id       integer not null,
  mode           text not null check (mode in ('live', 'sandbox')),
  link_id        text collate "C" not null,
  title          text not null,
  description    text,
  -- In minor units of currency. Null if the payer chooses.
  amount         bigint check (amount > 0),
  currency       text not null,
  products       json,
  payload        json,
  reference_id   text collate "C",
  reference_note text,
  webhook_url    text,
  return_url     text,
  locale         text,
  max_payments   integer check (max_payments > 0),
  expires_at     timestamptz,
  active         boolean not null,
  created_at     timestamptz not null,
  -- Its payments, also those refunded later, and their gross in the currency of the store.
  paid_count     integer not null default 0 check (paid_count >= 0),
  paid_total     bigint not null default 0 check (paid_total >= 0),
  primary key (store_id, mode, link_id)
-- A payment changes only the totals, which no index contains, so with room on the page no index is written.
) with (fillfactor = 80);

-- For the number and the list of active links.
create index link_active on link (store_id, mode, link_id) where active;

-- Never changes, so a change of status still touches no index.
alter table payment add column link_id text collate "C";
create index payment_link on payment (store_id, mode, link_id, payment_id) where link_id is not null;
