-- The event of a payment without a webhook URL is never sent, so it has no body. It is made from the payment.
alter table event alter column body drop not null;
