-- Which pepper the PINs are hashed with, told by its hash, like the key beside it. Null until a process has
-- started that knows of peppers.
alter table secret_key_check add column pepper_hash bytea;

-- When this process last saw a request with X-Forwarded-For or Forwarded, which it does not trust; null: never.
alter table node add column forwarded_at timestamptz;
