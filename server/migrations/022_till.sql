-- The settings of a store's till. A store without a row has no quick items and no tips.
create table till (
  store_id        integer primary key,
  -- In the order of their buttons, with prices in minor units: [{"name": "Tea", "price": "350"}].
  items           jsonb not null,
  tip_percentages integer[] not null
);
