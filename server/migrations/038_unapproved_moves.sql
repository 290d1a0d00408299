-- What operators and tokens moved without an approval, so that a large amount can't be split into small ones. The limit of a
-- currency applies to the sum of 24 hours; older rows are deleted.
create table unapproved_move (
  move_id  bigint generated always as identity primary key,
  -- The operator, also for their tokens. The name in the audit log for a token without an operator and for the command line.
  mover    text collate "C" not null,
  mode     text not null check (mode in ('live', 'sandbox')),
  currency text not null,
  amount   bigint not null check (amount > 0),
  moved_at timestamptz not null
);
create index unapproved_move_mover on unapproved_move (mover, mode, currency, moved_at) include (amount);
