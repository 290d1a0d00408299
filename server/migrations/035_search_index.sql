-- A loop moves new words into the index every second. A create does it only when they take more than 2 MB, and its batch
-- waits then: at 64 KB this happened for every 200 payments.
alter index payment_words set (gin_pending_list_limit = 2048);

-- Migration 034 left the payment and the sequence out of this index. Lists of events are in this order, and read from it
-- without sorting.
drop index event_log;
create index event_log on event (store_id, mode, created_at, payment_id, sequence);
