-- The store whose person sent the email to a customer; null for other emails. Their number is limited for each store.
alter table mail add column sender_store_id integer;

create index mail_sender_store on mail (sender_store_id, created_at) where sender_store_id is not null;
