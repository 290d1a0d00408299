-- Pays one payment with PostgreSQL alone, without a service, in seven round trips. Clients take payments
-- in turn, so that active transactions rarely use the same store or wallet and wait for a row.
\set number :done * :clients + :client_id
\set done :done + 1
begin;
select p.store_id, p.payment_id, p.gross, p.fee, p.currency, k.wallet_id
from bench_pay k
join payment p on p.store_id = k.store_id and p.mode = 'live' and p.payment_id = k.payment_id
join wallet_balance b on b.wallet_id = k.wallet_id and b.currency = p.currency
where k.number = :number and p.status = 'pending' and p.expires_at > now() and b.balance >= p.gross
for update of p, b \gset
update payment
set status = 'completed', wallet_id = :wallet_id, settled_at = now(), settled_by = gen_random_uuid()
where store_id = :store_id and mode = 'live' and payment_id = :payment_id;
with wallet_change as (
  update wallet_balance
  set balance = balance - :gross::bigint
  where wallet_id = :wallet_id and currency = :currency
)
update store_balance
set balance = balance + :gross::bigint - :fee::bigint, fees = fees + :fee::bigint
where store_id = :store_id and mode = 'live';
with moved as (
  insert into transfer (store_id, reference, kind, mode, debit, credit, amount, currency, at)
  values
    (:store_id::int, :payment_id::text, 'payment', 'live', 'wallet:' || :wallet_id::int,
      'store:' || :store_id::int, :gross::bigint, :currency::text, now()),
    (:store_id::int, :payment_id::text, 'fee', 'live', 'store:' || :store_id::int,
      'fees:' || :store_id::int, :fee::bigint, :currency::text, now())
)
insert into wallet_transfer (
  wallet_id, at, reference, kind, mode, debit, credit, amount, currency, store_id)
values (:wallet_id, now(), :payment_id, 'payment', 'live', 'wallet:' || :wallet_id::int,
  'store:' || :store_id::int, :gross, :currency, :store_id);
insert into event (store_id, payment_id, sequence, mode, type, created_at)
values (:store_id, :payment_id, 1, 'live', 'payment.completed', now());
commit;
