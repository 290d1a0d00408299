-- Roles of operators, tokens with an owner and scopes, and approvals of large movements of money.

-- Before this migration, every operator could do everything.
alter table operator add column role text not null default 'admin';
alter table operator alter column role drop default;
alter table operator add constraint operator_role_check
  check (role in ('admin', 'finance', 'support', 'auditor'));

-- Copies, because Citus can't join the audit log, which stays on the coordinator, with a distributed table.
create table token_before as select token_hash, label, created_at, revoked_at from operator_token;
create table operator_before as select operator_id, email from operator;
delete from operator_token;

alter table operator_token add column token_id text collate "C" not null;
-- The operator that the token belongs to. Null for a token of a built-in owner.
alter table operator_token add column operator_id text collate "C";
-- A built-in owner: command line, demo, or unknown.
alter table operator_token add column owner_name text;
alter table operator_token add column scopes text[] not null;
alter table operator_token add column expires_at timestamptz not null;
alter table operator_token add column last_used_at timestamptz;
-- Created before tokens had an owner and scopes.
alter table operator_token add column upgraded boolean not null default false;
alter table operator_token add constraint operator_token_owner_check
  check ((operator_id is null) <> (owner_name is null));
alter table operator_token add constraint operator_token_scopes_check
  check (cardinality(scopes) > 0 and scopes <@ array['metrics', 'read', 'support', 'money', 'admin']);
alter table operator_token add constraint operator_token_operator_id_fkey
  foreign key (operator_id) references operator;
create unique index operator_token_id on operator_token (token_id);
create index operator_token_operator on operator_token (operator_id);

-- The audit log names the actor that created a token. Its entry was written in the same transaction, right after.
insert into operator_token (
  token_hash, label, created_at, revoked_at, token_id, operator_id, owner_name, scopes, expires_at, upgraded)
select t.token_hash, t.label, t.created_at, t.revoked_at,
  'tok_0000000000' || substr(encode(sha256(t.token_hash), 'hex'), 1, 16),
  o.operator_id,
  case
    when o.operator_id is not null then null
    when l.actor = 'demo' and l.request_id is null then 'demo'
    when l.actor like '% (command line)' then 'command line'
    else 'unknown'
  end,
  array['admin'], now() + interval '90 days', true
from token_before t
left join lateral (
  select a.actor, a.request_id
  from audit_log a
  where a.action = 'operator.issue'
    and a.subject = 'operator:' || t.label
    and a.at >= t.created_at
    and a.at < t.created_at + interval '1 minute'
  order by a.entry_id
  limit 1
) l on true
left join operator_before o on l.actor = o.email || ' (operator)';

drop table token_before;
drop table operator_before;

-- The largest amount that one operator can move alone, in minor units.
create table approval_limit (
  currency   text primary key,
  amount     bigint not null check (amount >= 0),
  changed_at timestamptz not null
);

-- A movement of money above the limit. It waits for a second operator.
create table approval (
  approval_id  text collate "C" primary key,
  kind         text not null check (kind in ('top_up', 'withdrawal', 'funding', 'payout')),
  store_id     integer,
  wallet_id    text collate "C",
  mode         text not null check (mode in ('live', 'sandbox')),
  currency     text not null,
  amount       bigint not null check (amount > 0),
  note         text,
  -- The reference that the transfer has or will have. Derived from the Idempotency-Key, if there is one.
  reference    text collate "C" not null,
  requested_by text not null,
  -- Null for a token that belongs to no operator.
  requester_id text collate "C",
  requested_at timestamptz not null,
  expires_at   timestamptz not null,
  decision     text check (decision in ('approve', 'deny')),
  decided_by   text,
  decided_at   timestamptz,
  check ((store_id is null) <> (wallet_id is null)),
  check ((decision is null) = (decided_at is null) and (decision is null) = (decided_by is null))
);
create index approval_reference on approval (reference);
create index approval_pending on approval (approval_id) where decided_at is null;
