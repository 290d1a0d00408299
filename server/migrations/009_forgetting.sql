-- What is known of people can be forgotten, while the money stays as it was.

-- Since when nothing of the payer is left in the row but its number; null while it is somebody's.
alter table wallet add column erased_at timestamptz;

-- Up to when the clients, payloads and webhook bodies of a store have been emptied. An event without a body
-- still tells what happened and when.
create table retention (
  store_id      integer not null,
  mode          text not null check (mode in ('live', 'sandbox')),
  emptied_until timestamptz not null,
  primary key (store_id, mode)
);
