-- The hash chain of the audit log. A background job seals each entry; `florin audit` verifies the chain.
create table audit_seal (
  position      bigint primary key,
  entry_id      bigint not null unique,
  -- Covers the seal before and the entry without personal data.
  hash          bytea not null,
  sealed_at     timestamptz not null,
  -- Covers the entry's personal data, if it has any. Erasing a payer deletes the salt, so that the hash
  -- no longer reveals anything about the data.
  personal_hash bytea,
  personal_salt bytea,
  check (position > 0),
  check (personal_salt is null or personal_hash is not null)
);
create index audit_seal_sealed_at on audit_seal (sealed_at);

-- The head of the chain that an audit found.
alter table ledger_audit add column audit_chain jsonb;

create index security_event_store on security_event (store_id, event_id);
create index security_event_address on security_event (address, event_id);

-- The API keys that created and refunded a payment; null if a person did.
alter table payment add column created_by_key text;
alter table payment add column refunded_by_key text;
