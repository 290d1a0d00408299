-- A refund needs a balance that covers what the payer receives. The part of the refund fee that the
-- balance does not cover is waived and recorded here; null means that the store paid the whole fee.
-- Two statements, because Citus adds no column together with its check. Not validated, because no row
-- has a value yet and a scan would lock the table.
alter table payment add column refund_fee_waived bigint;
alter table payment add constraint payment_refund_fee_waived_check
  check (refund_fee_waived is null or (refund_fee is not null and refund_fee_waived between 1 and refund_fee))
  not valid;
