-- The words of a payment move into its row, separated by spaces, which saves a row, a key and a statement per payment. They
-- don't change when the payment changes its status.
alter table payment add column words text;

-- A word is 'anna' in the row and '12l:anna' in the old table. No word has a quote or a colon.
update payment p
set words = replace(replace(v.words::text, '''', ''), v.store_id::text || left(v.mode, 1) || ':', '')
from payment_words v
where p.store_id = v.store_id and p.mode = v.mode and p.payment_id = v.payment_id;

drop table payment_words;

-- In the index, each word begins with the store and the mode. Created after the rows, which is faster. A create that finds
-- the list of pending words full moves it into the index, and its batch waits: 0.2 s at the default of 4 MB.
create index payment_words on payment using gin (array_to_tsvector(string_to_array(
  store_id::text || left(mode, 1) || ':' || replace(words, ' ', ' ' || store_id::text || left(mode, 1) || ':'), ' ')))
  with (gin_pending_list_limit = 64)
  where words is not null;

-- Events of one time are few, so they are sorted when they are read.
drop index event_log;
create index event_log on event (store_id, mode, created_at);
