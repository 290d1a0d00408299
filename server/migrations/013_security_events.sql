-- Sign-ins and changes of accounts and credentials, for the owner of the account and for operators.
create table security_event (
  event_id   bigint generated always as identity primary key,
  at         timestamptz not null,
  kind       text not null,
  -- The person, operator or wallet; null if a failed sign-in named no known account.
  account_id text collate "C",
  store_id   integer,
  actor      text not null,
  address    text not null,
  device     text not null,
  details    jsonb
);
create index security_event_account on security_event (account_id, event_id);
create index security_event_kind on security_event (kind, event_id);
create index security_event_at on security_event using brin (at);
