-- The stores that a payer marked as favourites.
alter table wallet add column favourite_stores integer[] not null default '{}';
