-- The payment that a receipt is for, so that erasing a client of a store finds its mails.
alter table mail add column payment_id text collate "C";

create index mail_recipient on mail (recipient, mail_id);
create index mail_sent on mail (sent_at) where sent_at is not null;
create index mail_failed on mail (failed_at) where failed_at is not null;

-- Links in mails that let a person or an operator choose a password. Only the hash is stored.
create table password_link (
  token_hash bytea primary key,
  purpose    text not null check (purpose in ('invitation', 'reset')),
  -- The id of a person or of an operator.
  account_id text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index password_link_account on password_link (account_id);

-- The language of mails, as the page showed it at the last sign-in. Null: not known.
-- `invited_at` is set until the invited person has a password.
alter table person add column locale text;
alter table person add column invited_at timestamptz;
alter table operator add column locale text;
alter table operator add column invited_at timestamptz;

alter table wallet add column locale text;
alter table wallet add column mail_receipts boolean not null default false;

-- The language of mails to clients. Null: English.
alter table store add column locale text;
alter table store add column mail_receipts boolean not null default false;
alter table store add column mail_daily_close boolean not null default false;

-- The last day whose close was mailed to the owners of a store.
create table daily_close_mail (
  store_id integer primary key,
  day      date not null
);
