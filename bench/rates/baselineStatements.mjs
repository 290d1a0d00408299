const COLUMNS = `
  p.store_id as "storeId", p.mode, p.payment_id as "paymentId", p.qr_number as "qrNumber", p.status,
  p.gross, p.fee, p.donation, p.currency, p.request_amount as "requestAmount",
  p.request_currency as "requestCurrency", p.conversion_rate as "conversionRate", p.client,
  coalesce(p.products, '[]'::json) as products, p.payload::text as payload, p.reference_id as "referenceId",
  p.reference_note as "referenceNote", p.webhook_url as "webhookUrl", p.return_url as "returnUrl",
  p.created_at as "createdAt", p.expires_at as "expiresAt", p.settled_at as "settledAt", p.wallet_id as "walletId",
  p.refund_fee as "refundFee", p.refunded_at as "refundedAt", p.link_id as "linkId"`
const PAYER = `
  w.public_id as "publicId", w.name as payer_name, w.email as payer_email, w.phone as payer_phone,
  w.locked_by_operator as "isWalletLocked"`

const CREATE = `
  with counted as (
    insert into usage as u (store_id, mode, period, starts, used)
    values ($1, $2, 'day', $19, $5), ($1, $2, 'month', $20, $5)
    on conflict (store_id, mode, period, starts) do update set used = u.used + excluded.used
    returning u.period, u.used
  ), stored as (
    insert into idempotency (store_id, mode, key, fingerprint, answer, created_at)
    select $1, $2, $21, $22::bytea, $23::text, $17::timestamptz
    where $21::text is not null
  ), made as (
    insert into payment (
      store_id, mode, payment_id, qr_number, status, gross, fee, currency, request_amount,
      request_currency, conversion_rate, client, products, payload, reference_id, reference_note,
      webhook_url, created_at, expires_at, usage_day, usage_month)
    values ($1, $2, $3, $4, 'pending', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
      $18, $19, $20)
  )
  select period, used from counted`

const READ_STATUS = `
  select case when status = 'pending' and expires_at <= now() then 'expired' else status end as status
  from payment
  where store_id = $1 and mode = $2 and payment_id = $3`

const READ_DETAILS = `
  select ${COLUMNS}, ${PAYER}, a.at as called_at, a.status_code, a.error, a.answer,
    p.status = 'pending' and p.expires_at <= now() as overdue
  from payment p
  left join wallet w on w.wallet_id = p.wallet_id
  left join lateral (
    select at, status_code, error, answer
    from delivery_attempt d
    where p.webhook_url is not null and d.store_id = p.store_id and d.payment_id = p.payment_id
    order by d.at desc, d.sequence desc
    limit 1
  ) a on true
  where p.store_id = $1 and p.mode = $2 and p.payment_id = $3`

// Pay and refund requests lock wallets before stores, to prevent deadlocks.
const LOCK_TO_PAY = `
  select ${COLUMNS}, ${PAYER}, b.balance
  from payment p
  join wallet w on w.wallet_id = $4
  join wallet_balance b on b.wallet_id = $4 and b.currency = p.currency
  where p.store_id = $1 and p.qr_number = $2 and p.mode = $3
  for update of p, b`

// The event, and its delivery if there is a webhook_url.
const insertEvent = (sequence, type) => `
  queued as (
    insert into delivery (store_id, payment_id, sequence, mode, url, host, created_at, due_at)
    select $1, $3, ${sequence}, $2, $10, $11, $4, $4
    where $10::text is not null
  )
  insert into event (store_id, payment_id, sequence, mode, type, body, url, created_at)
  values ($1, $3, ${sequence}, $2, '${type}', $12, $10, $4)`

const PAY = `
  with settled as (
    update payment
    set status = 'completed', donation = $9, wallet_id = $6, settled_at = $4, settled_by = $5
    where store_id = $1 and mode = $2 and payment_id = $3
  ), wallet_change as (
    update wallet_balance
    set balance = balance - $7::bigint - $9::bigint
    where wallet_id = $6 and currency = $13
  ), store_change as (
    update store_balance
    set balance = balance + $7::bigint - $8::bigint, fees = fees + $8::bigint,
      gifts = gifts + $9::bigint
    where store_id = $1 and mode = $2
  ), moved as (
    insert into transfer (store_id, reference, kind, mode, debit, credit, amount, currency, at)
    select $1, $3, v.kind, $2, v.debit, v.credit, v.amount, $13, $4
    from (values
      ('payment', 'wallet:' || $6::int, 'store:' || $1::int, $7::bigint),
      ('fee', 'store:' || $1::int, 'fees:' || $1::int, $8::bigint),
      ('donation', 'wallet:' || $6::int, 'gifts:' || $1::int, $9::bigint)
    ) as v (kind, debit, credit, amount)
    where v.amount > 0
  ), wallet_moved as (
    insert into wallet_transfer (
      wallet_id, at, reference, kind, mode, debit, credit, amount, currency, store_id)
    select $6, $4, $3, v.kind, $2, 'wallet:' || $6::int, v.credit, v.amount, $13, $1
    from (values
      ('payment', 'store:' || $1::int, $7::bigint),
      ('donation', 'gifts:' || $1::int, $9::bigint)
    ) as v (kind, credit, amount)
    where v.amount > 0
  ), ${insertEvent(1, 'payment.completed')}`

const LOCK_TO_REFUND = `
  select ${COLUMNS}, ${PAYER}, s.balance
  from payment p
  join wallet w on w.wallet_id = p.wallet_id
  join wallet_balance b on b.wallet_id = p.wallet_id and b.currency = p.currency
  join store_balance s on s.store_id = p.store_id and s.mode = p.mode
  where p.store_id = $1 and p.mode = $2 and p.payment_id = $3
  for update of p, b, s`

const REFUND = `
  with returned as (
    update payment
    set status = 'refunded', refund_fee = $8, refund_fee_waived = nullif($13::bigint, 0),
      refunded_at = $4, refunded_by = $5
    where store_id = $1 and mode = $2 and payment_id = $3
  ), wallet_change as (
    update wallet_balance
    set balance = balance + $7::bigint - $8::bigint
    where wallet_id = $6 and currency = $9
  ), store_change as (
    update store_balance
    set balance = balance - $7::bigint + $13::bigint, fees = fees + $8::bigint - $13::bigint
    where store_id = $1 and mode = $2
  ), moved as (
    insert into transfer (store_id, reference, kind, mode, debit, credit, amount, currency, at)
    select $1, $3, v.kind, $2, 'store:' || $1::int, v.credit, v.amount, $9, $4
    from (values
      ('refund', 'wallet:' || $6::int, $7::bigint - $8::bigint),
      ('refund_fee', 'fees:' || $1::int, $8::bigint - $13::bigint)
    ) as v (kind, credit, amount)
    where v.amount > 0
  ), wallet_moved as (
    insert into wallet_transfer (
      wallet_id, at, reference, kind, mode, debit, credit, amount, currency, store_id)
    values ($6, $4, $3, 'refund', $2, 'store:' || $1::int, 'wallet:' || $6::int,
      $7::bigint - $8::bigint, $9, $1)
  ), ${insertEvent(2, 'payment.refunded')}`

/** The statements of the baseline by name, prepared once per connection. */
export const STATEMENTS = {
  CREATE,
  READ_STATUS,
  READ_DETAILS,
  LOCK_TO_PAY,
  PAY,
  LOCK_TO_REFUND,
  REFUND,
}
