-- The console's search for people of all stores: words of names and email addresses (core/searchWords.ts).
alter table person add column words tsvector;

update person
set words = array_to_tsvector(string_to_array(
  regexp_replace(trim(regexp_replace(
    regexp_replace(lower(normalize(concat_ws(' ', name, email), nfkd)), '[\u0300-\u036f]', '', 'g'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g')), '([^ ]{60})[^ ]+', '\1', 'g'), ' '));

create index person_words on person using gin (words);
