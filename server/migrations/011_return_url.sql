-- Where the checkout page links back to after the outcome.
alter table payment add column return_url text;
