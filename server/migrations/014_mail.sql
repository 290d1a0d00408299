-- Mails to send. A mail is written in the transaction of its cause and sent by a background loop.
create table mail (
  mail_id       text collate "C" primary key,
  recipient     text not null,
  template      text not null,
  locale        text not null,
  -- Encrypted, because it may contain a link that signs in. Null once the mail is sent.
  content       bytea,
  created_at    timestamptz not null,
  due_at        timestamptz not null,
  attempts      integer not null default 0,
  claimed_until timestamptz,
  sent_at       timestamptz,
  -- Set when retries are used up.
  failed_at     timestamptz,
  last_error    text,
  check ((sent_at is null) = (content is not null))
);
create index mail_due on mail (due_at) where sent_at is null and failed_at is null;
