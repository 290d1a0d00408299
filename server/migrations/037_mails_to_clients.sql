-- The store of the payment, for receipts and refunds to its client; null for other emails. Their number is limited for each
-- store and address.
alter table mail add column client_store_id integer;

create index mail_client_store on mail (client_store_id, recipient, created_at) where client_store_id is not null;
