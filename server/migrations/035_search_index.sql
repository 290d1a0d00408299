-- A loop moves new words into the index every second. A create does it only when they take more than 2 MB, and its batch
-- waits then: at 64 KB this happened for every 200 payments.
alter index payment_words set (gin_pending_list_limit = 2048);
