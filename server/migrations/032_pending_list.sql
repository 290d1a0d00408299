-- A create that finds this list full moves it into the index, and its batch waits: 0.2 s at the default of 4 MB.
alter index payment_words_words set (gin_pending_list_limit = 64);
