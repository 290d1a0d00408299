-- On a Citus cluster: transactions that wrote on several workers and that the coordinator has committed. Each worker
-- has prepared its part; after a crash, the row tells that it must be committed. Removed when no worker needs it.
create table worker_commit (
  id  uuid primary key,
  at  timestamptz not null
);
