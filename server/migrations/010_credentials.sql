-- The hash of the pepper that PINs are hashed with, like that of the key beside it. Null until a pepper is in use.
alter table secret_key_check add column pepper_hash bytea;

-- When this process last saw an untrusted X-Forwarded-For or Forwarded header; null: never.
alter table node add column forwarded_at timestamptz;
