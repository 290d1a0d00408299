-- Totals of all stores for every five minutes, for the overview of the operator. A loop adds them, so that payments don't
-- write here and reading a month takes the same time for any number of payments.
create table payment_total (
  starts          timestamptz not null,
  mode            text collate "C" not null check (mode in ('live', 'sandbox')),
  currency        text collate "C" not null,
  completed       integer not null,
  gross           bigint not null,
  -- Of payments and refunds.
  fees            bigint not null,
  refunded        integer not null,
  refunded_gross  bigint not null,
  failed          integer not null,
  expired         integer not null,
  cancelled       integer not null,
  primary key (starts, mode, currency)
);

insert into sweep (name, done_until) values ('payment totals', '2000-01-01 00:00:00+00');
