-- When each wallet last paid, for the number of active wallets on the overview of the operator. The loop that adds totals
-- writes it, so that payments don't, and counting reads only the wallets that were active.
create table wallet_last_payment (
  wallet_id  integer primary key,
  mode       text collate "C" not null check (mode in ('live', 'sandbox')),
  paid_at    timestamptz not null
);
create index wallet_last_payment_paid_at on wallet_last_payment (mode, paid_at);

-- The loop starts again, because the payments that it has added are missing here.
delete from payment_total;
update sweep set done_until = '2000-01-01 00:00:00+00' where name = 'payment totals';
