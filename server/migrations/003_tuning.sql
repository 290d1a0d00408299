-- Room in the pages, so that updates stay where they are and touch no index.

-- Leased, tried and given back: each row is written a few times in its short life.
alter table delivery set (fillfactor = 40);

-- Changed by every payment, and never longer than before.
alter table usage set (fillfactor = 50);
alter table store_balance set (fillfactor = 50);
alter table wallet_balance set (fillfactor = 50);
