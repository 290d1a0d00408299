-- Which sites may show the checkout page of a store in a frame; nobody unless the operator says so.
alter table store add column embed_origins text[] not null default '{}';
