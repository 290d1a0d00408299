-- Distributes the tables over a Citus cluster. `florin migrate --citus` runs each statement on its own, so an interrupted
-- run continues where it stopped. Existing rows are copied.

-- Drop foreign keys and add them again at the end: Citus allows them only between tables of one kind. The foreign key from
-- person to store is not added again, because people are on the coordinator only.
alter table credential drop constraint if exists credential_store_id_fkey;
alter table webhook_secret drop constraint if exists webhook_secret_store_id_fkey;
alter table logo drop constraint if exists logo_store_id_fkey;
alter table person drop constraint if exists person_store_id_fkey;
alter table person_session drop constraint if exists person_session_person_id_fkey;
alter table operator_session drop constraint if exists operator_session_operator_id_fkey;
alter table operator_token drop constraint if exists operator_token_operator_id_fkey;

-- Payment side: all rows of a store are on one machine, in colocated shards. There are few shards, because a batch sends
-- each statement to every shard that it needs. Shards move as a whole, so eight are enough for eight machines.
select create_distributed_table('payment', 'store_id', colocate_with => 'none', shard_count => 8)
  where not exists (select from pg_dist_partition where logicalrelid = 'payment'::regclass);
select create_distributed_table('idempotency', 'store_id', colocate_with => 'payment')
  where not exists (select from pg_dist_partition where logicalrelid = 'idempotency'::regclass);
select create_distributed_table('usage', 'store_id', colocate_with => 'payment')
  where not exists (select from pg_dist_partition where logicalrelid = 'usage'::regclass);
select create_distributed_table('store_balance', 'store_id', colocate_with => 'payment')
  where not exists (select from pg_dist_partition where logicalrelid = 'store_balance'::regclass);
select create_distributed_table('transfer', 'store_id', colocate_with => 'payment')
  where not exists (select from pg_dist_partition where logicalrelid = 'transfer'::regclass);
select create_distributed_table('link', 'store_id', colocate_with => 'payment')
  where not exists (select from pg_dist_partition where logicalrelid = 'link'::regclass);
select create_distributed_table('ledger_seal', 'store_id', colocate_with => 'payment')
  where not exists (select from pg_dist_partition where logicalrelid = 'ledger_seal'::regclass);
select create_distributed_table('link_seal', 'store_id', colocate_with => 'payment')
  where not exists (select from pg_dist_partition where logicalrelid = 'link_seal'::regclass);
select create_distributed_table('archived_line', 'store_id', colocate_with => 'payment')
  where not exists (select from pg_dist_partition where logicalrelid = 'archived_line'::regclass);
select create_distributed_table('event', 'store_id', colocate_with => 'payment')
  where not exists (select from pg_dist_partition where logicalrelid = 'event'::regclass);
select create_distributed_table('delivery', 'store_id', colocate_with => 'payment')
  where not exists (select from pg_dist_partition where logicalrelid = 'delivery'::regclass);
select create_distributed_table('delivery_attempt', 'store_id', colocate_with => 'payment')
  where not exists (select from pg_dist_partition where logicalrelid = 'delivery_attempt'::regclass);

-- Payer side, in separate shards: a store and a wallet with the same number are unrelated.
select create_distributed_table('wallet', 'wallet_id', colocate_with => 'none', shard_count => 8)
  where not exists (select from pg_dist_partition where logicalrelid = 'wallet'::regclass);
select create_distributed_table('wallet_session', 'wallet_id', colocate_with => 'wallet')
  where not exists (select from pg_dist_partition where logicalrelid = 'wallet_session'::regclass);
select create_distributed_table('wallet_balance', 'wallet_id', colocate_with => 'wallet')
  where not exists (select from pg_dist_partition where logicalrelid = 'wallet_balance'::regclass);
select create_distributed_table('wallet_failure', 'wallet_id', colocate_with => 'wallet')
  where not exists (select from pg_dist_partition where logicalrelid = 'wallet_failure'::regclass);
select create_distributed_table('wallet_idempotency', 'wallet_id', colocate_with => 'wallet')
  where not exists (select from pg_dist_partition where logicalrelid = 'wallet_idempotency'::regclass);
select create_distributed_table('wallet_transfer', 'wallet_id', colocate_with => 'wallet')
  where not exists (select from pg_dist_partition where logicalrelid = 'wallet_transfer'::regclass);
select create_distributed_table('wallet_seal', 'wallet_id', colocate_with => 'wallet')
  where not exists (select from pg_dist_partition where logicalrelid = 'wallet_seal'::regclass);
select create_distributed_table('archived_wallet', 'wallet_id', colocate_with => 'wallet')
  where not exists (select from pg_dist_partition where logicalrelid = 'archived_wallet'::regclass);
select create_distributed_table('archived_payer', 'wallet_id', colocate_with => 'wallet')
  where not exists (select from pg_dist_partition where logicalrelid = 'archived_payer'::regclass);

-- A copy on every machine, for rarely written tables: small ones, and those with a unique key without store or wallet, such
-- as a phone number. Citus requires the distribution column in every unique key of a distributed table.
select create_reference_table('store')
  where not exists (select from pg_dist_partition where logicalrelid = 'store'::regclass);
select create_reference_table('credential')
  where not exists (select from pg_dist_partition where logicalrelid = 'credential'::regclass);
select create_reference_table('webhook_secret')
  where not exists (select from pg_dist_partition where logicalrelid = 'webhook_secret'::regclass);
select create_reference_table('logo')
  where not exists (select from pg_dist_partition where logicalrelid = 'logo'::regclass);
select create_reference_table('exchange_rate')
  where not exists (select from pg_dist_partition where logicalrelid = 'exchange_rate'::regclass);
select create_reference_table('wallet_phone')
  where not exists (select from pg_dist_partition where logicalrelid = 'wallet_phone'::regclass);
select create_reference_table('retention')
  where not exists (select from pg_dist_partition where logicalrelid = 'retention'::regclass);

-- Accounts of people and operators are needed to sign in, so they must not depend on every machine. Earlier versions
-- copied them to all.
select undistribute_table('person_session')
  where exists (select from pg_dist_partition where logicalrelid = 'person_session'::regclass);
select undistribute_table('operator_session')
  where exists (select from pg_dist_partition where logicalrelid = 'operator_session'::regclass);
select undistribute_table('operator_token')
  where exists (select from pg_dist_partition where logicalrelid = 'operator_token'::regclass);
select undistribute_table('passkey')
  where exists (select from pg_dist_partition where logicalrelid = 'passkey'::regclass);
select undistribute_table('totp')
  where exists (select from pg_dist_partition where logicalrelid = 'totp'::regclass);
select undistribute_table('recovery_code')
  where exists (select from pg_dist_partition where logicalrelid = 'recovery_code'::regclass);
select undistribute_table('security_setting')
  where exists (select from pg_dist_partition where logicalrelid = 'security_setting'::regclass);
select undistribute_table('person')
  where exists (select from pg_dist_partition where logicalrelid = 'person'::regclass);
select undistribute_table('operator')
  where exists (select from pg_dist_partition where logicalrelid = 'operator'::regclass);

-- Never joined with distributed tables, so these stay on the coordinator:
-- stays: approval, approval_limit, archive, audit_log, audit_seal, daily_close_mail, day_seal, ledger_audit, mail, node, node_sample, operator, operator_session, operator_token, passkey, password_link, payment_total, person, person_session, pin_limit, recovery_code, schema_migration, secret_key_check, security_event, security_setting, sign_in_guard, sweep, till, totp, used_challenge, wallet_activation, wallet_last_payment, wallet_signup, worker_commit

alter table credential add constraint credential_store_id_fkey
  foreign key (store_id) references store;
alter table webhook_secret add constraint webhook_secret_store_id_fkey
  foreign key (store_id) references store;
alter table logo add constraint logo_store_id_fkey
  foreign key (store_id) references store;
alter table person_session add constraint person_session_person_id_fkey
  foreign key (person_id) references person;
alter table operator_session add constraint operator_session_operator_id_fkey
  foreign key (operator_id) references operator;
alter table operator_token add constraint operator_token_operator_id_fkey
  foreign key (operator_id) references operator;

-- Limit lock waits on workers. Citus passes on settings of the role, not of the session.
alter role current_user set lock_timeout = '2s';
