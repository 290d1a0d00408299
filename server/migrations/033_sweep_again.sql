-- Payments that expired while the clock of the database was ahead may still be pending.
update sweep set done_until = least(done_until, now() - interval '7 days') where name = 'expiry';
