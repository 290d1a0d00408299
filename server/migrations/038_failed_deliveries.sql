-- The deliveries that failed, so that the overview of a store finds those of a mode among any number of others.
create index delivery_failed on delivery (store_id, mode, payment_id, sequence) where attempts > 0 or due_at is null;
