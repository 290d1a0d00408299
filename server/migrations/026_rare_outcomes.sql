-- Finds payments that failed, expired or were refunded. A paid one has no entry, so that paying writes nothing here.
create index event_rare_outcome on event (store_id, mode, type, payment_id) where type <> 'payment.completed';
