-- The search of the dashboard: words of payments and payers, without case and accents (core/searchWords.ts). Each word of
-- a payment begins with the store and the mode, so that the index finds only the payments of one store. Written only for
-- payments with a text, and never updated when a payment changes its status.

create table payment_words (
  store_id   integer not null,
  mode       text not null,
  payment_id text collate "C" not null,
  words      tsvector not null,
  primary key (store_id, mode, payment_id)
);

alter table wallet add column words tsvector;

insert into payment_words (store_id, mode, payment_id, words)
select f.store_id, f.mode, f.payment_id,
  array_to_tsvector(string_to_array(
    f.scope || regexp_replace(f.words, ' ', ' ' || f.scope, 'g'), ' '))
from (
  select p.store_id, p.mode, p.payment_id, p.store_id || left(p.mode, 1) || ':' as scope,
    regexp_replace(trim(regexp_replace(
      regexp_replace(
        lower(normalize(
          left(concat_ws(' ', p.reference_id, p.client ->> 'name', p.client ->> 'email',
            p.client ->> 'phone_dial_code', p.client ->> 'phone',
            regexp_replace(p.client ->> 'phone', '\D', '', 'g'), p.reference_note), 1500), nfkd)),
        '[\u0300-\u036f]', '', 'g'),
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g')), '([^ ]{60})[^ ]+', '\1', 'g') as words
  from payment p
  where p.reference_id is not null or p.reference_note is not null or p.client is not null
) f
where f.words <> '';

update wallet
set words = array_to_tsvector(string_to_array(
  regexp_replace(trim(regexp_replace(
    regexp_replace(lower(normalize(concat_ws(' ', name, email, phone, public_id), nfkd)), '[\u0300-\u036f]', '', 'g'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g')), '([^ ]{60})[^ ]+', '\1', 'g'), ' '))
where erased_at is null;

-- After the rows, which is faster.
create index payment_words_words on payment_words using gin (words);
create index wallet_words on wallet using gin (words);
