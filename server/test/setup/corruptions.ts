import {
  changeEvent,
  changeLink,
  changePayment,
  changeStoreBalance,
  changeTransfer,
  changeWalletTransfer,
  copyEvent,
  copyTransfer,
  update,
} from './corrupt.ts'
import { moved } from './ledgerHistory.ts'
import { TIME_CORRUPTIONS } from './timeCorruptions.ts'

/** Statements that corrupt rows, and the subject that the audit must report. `makeHistory` returns the value of each `{name}`. */
export const CORRUPTIONS: Record<string, [statement: string, subject: string]> = {
  "a store's balance too high": [changeStoreBalance('balance = balance + 1'), 'store {shop} live'],
  "a store's balance too low": [changeStoreBalance('balance = balance - 1'), 'store {shop} live'],
  'fees off by one': [changeStoreBalance('fees = fees + 1'), 'fees of store {shop} live'],
  'donations off by one': [changeStoreBalance('gifts = gifts - 1'), 'gifts of store {shop} live'],
  "a store's balance below zero": [changeStoreBalance('balance = -1'), 'store {shop} live'],
  "a wallet's balance off by one": [
    update('wallet_balance', 'balance = balance + 1', 'wallet_id = {ada}'),
    'wallet {ada} USD',
  ],
  "a wallet's balance below zero": [
    update('wallet_balance', 'balance = -1', 'wallet_id = {ada}'),
    'wallet {ada} USD',
  ],
  "a wallet's balance in another currency": [
    update('wallet_balance', `currency = 'EUR'`, 'wallet_id = {ada}'),
    'wallet {ada} EUR',
  ],
  'a balance without transfers in a new currency': [
    `insert into wallet_balance values ({ada}, 'GBP', 5)`,
    'wallet {ada} GBP',
  ],
  "a store's balance missing": [
    `delete from store_balance where store_id = {shop} and mode = 'live'`,
    'store {shop} live',
  ],
  'the empty balance of a store without payments missing': [
    `delete from store_balance where store_id = {unusedShop} and mode = 'sandbox'`,
    'store {unusedShop} sandbox',
  ],
  'balances of a store that does not exist': [
    `insert into store_balance values (4711, 'live', 0, 0, 0)`,
    'store 4711 live',
  ],
  "a wallet's balance missing": [
    'delete from wallet_balance where wallet_id = {ada}',
    'wallet {ada} USD',
  ],

  "a payment's transfer: amount": [
    changeTransfer('amount = amount + 1', 'paid', 'payment'),
    '{paid}',
  ],
  "a payment's transfer: debit": [
    changeTransfer(`debit = 'wallet:{bob}'`, 'paid', 'payment'),
    '{paid}',
  ],
  "a payment's transfer: credit": [
    changeTransfer(`credit = 'store:{unusedShop}'`, 'paid', 'payment'),
    '{paid}',
  ],
  "a payment's transfer: currency": [
    changeTransfer(`currency = 'EUR'`, 'paid', 'payment'),
    '{paid}',
  ],
  "a payment's transfer: mode": [changeTransfer(`mode = 'sandbox'`, 'paid', 'payment'), '{paid}'],
  "a payment's transfer: kind": [
    changeTransfer(`kind = 'donation'`, 'converted', 'payment'),
    '{converted}',
  ],
  "a payment's transfer: time": [
    changeTransfer(`at = ${moved('at', '1 s')}`, 'paid', 'payment'),
    '{paid}',
  ],
  "a payment's transfer: store": [
    changeTransfer('store_id = {unusedShop}', 'paid', 'payment'),
    '{paid}',
  ],
  'amounts whose sum is larger than any number of the database': [
    update('transfer', 'amount = 9223372036854775807', `kind = 'payment'`),
    '{paid}',
  ],
  "a fee's amount": [changeTransfer('amount = amount + 1', 'paid', 'fee'), '{paid}'],
  "a fee's time": [changeTransfer(`at = ${moved('at', '-1 day')}`, 'paid', 'fee'), '{paid}'],
  "a donation's amount": [changeTransfer('amount = amount + 1', 'paid', 'donation'), '{paid}'],
  "a refund's amount": [changeTransfer('amount = amount - 1', 'refunded', 'refund'), '{refunded}'],
  "a refund fee's amount": [
    changeTransfer('amount = amount + 1', 'refunded', 'refund_fee'),
    '{refunded}',
  ],
  "a payout's amount": [
    changeTransfer('amount = amount + 1', 'payout', 'payout'),
    'store {shop} live',
  ],
  "a payout's direction": [
    changeTransfer('debit = credit, credit = debit', 'payout', 'payout'),
    'payout {payout}',
  ],
  "a payout's credit": [
    changeTransfer(`credit = 'wallet:{ada}'`, 'payout', 'payout'),
    'payout {payout}',
  ],
  "a payout's mode": [
    changeTransfer(`mode = 'sandbox'`, 'payout', 'payout'),
    'store {shop} sandbox',
  ],
  "a payout's currency": [
    changeTransfer(`currency = 'JPY'`, 'payout', 'payout'),
    'payout {payout}',
  ],
  'a zero transfer': [changeTransfer('amount = 0', 'paid', 'payment'), '{paid}'],

  "the payer's side: amount": [
    changeWalletTransfer('amount = amount + 1', 'paid', 'payment'),
    '{paid}',
  ],
  "the payer's side: debit": [
    changeWalletTransfer(`debit = 'wallet:{bob}'`, 'paid', 'payment'),
    'payment of payment {paid}',
  ],
  "the payer's side: credit": [
    changeWalletTransfer(`credit = 'store:{unusedShop}'`, 'paid', 'payment'),
    '{paid}',
  ],
  "the payer's side: currency": [
    changeWalletTransfer(`currency = 'EUR'`, 'paid', 'payment'),
    '{paid}',
  ],
  "the payer's side: mode": [changeWalletTransfer(`mode = 'sandbox'`, 'paid', 'payment'), '{paid}'],
  "the payer's side: time": [
    changeWalletTransfer(`at = ${moved('at', '1 s')}`, 'paid', 'payment'),
    '{paid}',
  ],
  "the payer's side: wallet": [
    changeWalletTransfer('wallet_id = {bob}', 'paid', 'payment'),
    '{paid}',
  ],
  "the payer's side: store": [
    changeWalletTransfer('store_id = {unusedShop}', 'paid', 'payment'),
    '{paid}',
  ],
  "a withdrawal's amount": [
    changeWalletTransfer('amount = amount + 1', 'withdrawal', 'withdrawal'),
    'wallet {bob} USD',
  ],
  "a withdrawal's credit": [
    changeWalletTransfer(`credit = 'store:{shop}'`, 'withdrawal', 'withdrawal'),
    'withdrawal {withdrawal}',
  ],
  "a withdrawal's mode": [
    changeWalletTransfer(`mode = 'sandbox'`, 'withdrawal', 'withdrawal'),
    'withdrawal {withdrawal}',
  ],
  "a withdrawal's currency": [
    changeWalletTransfer(`currency = 'EUR'`, 'withdrawal', 'withdrawal'),
    'wallet {bob} EUR',
  ],
  "a withdrawal's wallet": [
    changeWalletTransfer('wallet_id = {ada}', 'withdrawal', 'withdrawal'),
    'withdrawal {withdrawal}',
  ],
  "the sandbox payer's top-up missing": [
    `delete from wallet_transfer where reference = '{simulated}' and kind = 'top_up'`,
    'wallet',
  ],

  'a transfer missing': [
    `delete from transfer where reference = '{paid}' and kind = 'payment'`,
    '{paid}',
  ],
  'a fee missing': [`delete from transfer where reference = '{paid}' and kind = 'fee'`, '{paid}'],
  'a payout missing': [`delete from transfer where kind = 'payout'`, 'store {shop} live'],
  "the payer's side missing": [
    `delete from wallet_transfer where reference = '{paid}' and kind = 'payment'`,
    '{paid}',
  ],
  'both sides of a refund missing': [
    `with w as (delete from wallet_transfer where reference = '{refunded}' and kind = 'refund')
     delete from transfer where reference = '{refunded}' and kind = 'refund'`,
    '{refunded}',
  ],
  'a fee for a payment that is not paid': [
    copyTransfer('transfer', 'paid', 'fee', { reference: `'{pending}'` }),
    '{pending}',
  ],
  'a transfer for a payment that does not exist': [
    copyTransfer('transfer', 'paid', 'payment', { reference: `'pay_nobody'` }),
    'pay_nobody',
  ],
  'a second payout': [
    copyTransfer('transfer', 'payout', 'payout', { reference: `'out_again'` }),
    'store {shop} live',
  ],
  "a payment on the payer's side only": [
    copyTransfer('wallet_transfer', 'paid', 'payment', { reference: `'pay_nobody'` }),
    'pay_nobody',
  ],
  "a payment also in another payer's statement": [
    copyTransfer('wallet_transfer', 'paid', 'payment', { wallet_id: '{bob}' }),
    '{paid}',
  ],
  "a payment twice in the payer's statement": [
    copyTransfer('wallet_transfer', 'paid', 'payment', { at: `at + interval '1 ms'` }),
    '{paid}',
  ],

  'an event missing': [
    `delete from event where payment_id = '{paid}'`,
    'event 1 of payment {paid}',
  ],
  'the event of a refund missing': [
    `delete from event where payment_id = '{refunded}' and sequence = 2`,
    'event 2 of payment {refunded}',
  ],
  'the event of an expired payment missing': [
    `delete from event where payment_id = '{expired}'`,
    'event 1 of payment {expired}',
  ],
  "an event's time": [
    changeEvent(`created_at = ${moved('created_at', '-40 days')}`, 'paid'),
    'event 1 of payment {paid}',
  ],
  "an event's time: 1 ms": [
    changeEvent(`created_at = ${moved('created_at', '1 ms')}`, 'failed'),
    'event 1 of payment {failed}',
  ],
  "the time of a refund's event": [
    changeEvent(`created_at = ${moved('created_at', '40 days')}`, 'refunded', 2),
    'event 2 of payment {refunded}',
  ],
  "an event's mode": [changeEvent(`mode = 'sandbox'`, 'paid'), 'event 1 of payment {paid}'],
  "an event's store": [changeEvent('store_id = {unusedShop}', 'paid'), 'event 1 of payment {paid}'],
  "an event's payment": [
    changeEvent(`payment_id = '{pending}'`, 'converted'),
    'event 1 of payment {pending}',
  ],
  "an event's number": [changeEvent('sequence = 2', 'paid'), 'event 2 of payment {paid}'],
  'an event of a pending payment': [
    copyEvent('paid', { payment_id: `'{pending}'` }),
    'event 1 of payment {pending}',
  ],
  'an event of a refund that was not made': [
    copyEvent('paid', { sequence: '2', type: `'payment.refunded'` }),
    'event 2 of payment {paid}',
  ],
  'an event of a payment that does not exist': [
    copyEvent('paid', { payment_id: `'pay_nobody'` }),
    'event 1 of payment pay_nobody',
  ],

  'completed changed to pending': [changePayment(`status = 'pending'`, 'paid'), '{paid}'],
  'completed changed to refunded': [changePayment(`status = 'refunded'`, 'paid'), '{paid}'],
  'completed changed to expired': [changePayment(`status = 'expired'`, 'paid'), '{paid}'],
  'refunded changed to completed': [
    changePayment(`status = 'completed'`, 'refunded'),
    '{refunded}',
  ],
  'refunded changed to completed, without time and fee of the refund': [
    changePayment(`status = 'completed', refunded_at = null, refund_fee = null`, 'refunded'),
    '{refunded}',
  ],
  'pending changed to completed': [
    changePayment(`status = 'completed', settled_at = now(), wallet_id = {ada}`, 'pending'),
    '{pending}',
  ],
  'pending changed to expired': [
    changePayment(`status = 'expired', settled_at = now()`, 'pending'),
    'store {shop} live',
  ],
  'expired changed to pending': [
    changePayment(`status = 'pending', settled_at = null`, 'expired'),
    'store {shop} live',
  ],
  'expired changed to failed': [changePayment(`status = 'failed'`, 'expired'), '{expired}'],
  'failed changed to expired': [changePayment(`status = 'expired'`, 'failed'), '{failed}'],
  'an unknown status': [changePayment(`status = 'lost'`, 'expired'), '{expired}'],
  'a payment missing': [`delete from payment where payment_id = '{paid}'`, '{paid}'],
  'a pending payment missing': [
    `delete from payment where payment_id = '{pending}'`,
    'store {shop} live',
  ],
  'gross of a paid payment': [changePayment('gross = gross + 1', 'paid'), '{paid}'],
  'gross of a pending payment': [changePayment('gross = gross + 1', 'pending'), '{pending}'],
  'gross of an expired payment': [changePayment('gross = gross + 1', 'expired'), '{expired}'],
  'gross of a converted payment, everywhere': [
    `with p as (update payment set gross = gross + 1 where payment_id = '{converted}'),
       w as (update wallet_transfer set amount = amount + 1 where reference = '{converted}'),
       b as (update wallet_balance set balance = balance - 1 where wallet_id = {bob}),
       s as (update store_balance set balance = balance + 1 where store_id = {shop} and mode = 'live'),
       u as (update usage set used = used + 1 where store_id = {shop} and mode = 'live')
     update transfer set amount = amount + 1 where reference = '{converted}' and kind = 'payment'`,
    '{converted}',
  ],
  'fee of a paid payment': [changePayment('fee = fee + 1', 'paid'), '{paid}'],
  'fee above gross': [changePayment('fee = gross + 1', 'pending'), '{pending}'],
  'donation of a paid payment': [changePayment('donation = donation + 1', 'paid'), '{paid}'],
  'donation of a pending payment': [changePayment('donation = 5', 'pending'), '{pending}'],
  'refund fee of a refunded payment': [changePayment('refund_fee = 0', 'refunded'), '{refunded}'],
  'refund fee of a payment that is not refunded': [
    changePayment('refund_fee = 5', 'paid'),
    '{paid}',
  ],
  'part of the refund fee waived': [
    changePayment('refund_fee_waived = 1', 'refunded'),
    '{refunded}',
  ],
  'a waived fee of a payment that is not refunded': [
    changePayment('refund_fee_waived = 1', 'paid'),
    '{paid}',
  ],
  'another payer': [changePayment('wallet_id = {bob}', 'paid'), '{paid}'],
  'a payment in a foreign currency': [changePayment(`currency = 'EUR'`, 'pending'), '{pending}'],
  'a payment in the other mode': [changePayment(`mode = 'sandbox'`, 'paid'), '{paid}'],
  "a payment moved to another store's books": [
    changePayment('store_id = {unusedShop}', 'paid'),
    '{paid}',
  ],
  'the time at which a payment was paid': [
    changePayment(`settled_at = ${moved('settled_at', '-1 s')}`, 'paid'),
    '{paid}',
  ],
  'the time at which a payment was refunded': [
    changePayment(`refunded_at = ${moved('refunded_at', '-1 s')}`, 'refunded'),
    '{refunded}',
  ],
  'counted on another day': [
    changePayment('usage_day = usage_day - 40', 'pending'),
    'store {shop}',
  ],
  'counted in another month': [
    changePayment('usage_month = usage_month - 40', 'pending'),
    'payment {pending}',
  ],

  "a link's number of payments": [changeLink('paid_count = paid_count + 1'), 'link {link}'],
  "a link's total": [changeLink('paid_total = paid_total - 1'), 'link {link}'],
  'a link missing': [`delete from link where link_id = '{link}'`, 'link {link}'],
  'a payment moved to a link': [changePayment(`link_id = '{link}'`, 'paid'), 'link {link}'],
  'a payment taken from its link': [changePayment('link_id = null', 'linked'), 'link {link}'],

  'usage too high': [update('usage', 'used = used + 1', `period = 'day'`), 'day of'],
  'usage too low': [update('usage', 'used = used - 1', `period = 'month'`), 'month of'],
  'usage missing': [`delete from usage where period = 'day'`, 'day of'],
  'usage of a day without payments': [
    `insert into usage values ({unusedShop}, 'live', 'day', '2020-01-01', 5)`,
    'day of 2020-01-01, store {unusedShop} live',
  ],
  ...TIME_CORRUPTIONS,
  "a wallet's mode": [update('wallet', `mode = 'sandbox'`, 'wallet_id = {ada}'), 'wallet {ada}'],
  'a wallet missing': ['delete from wallet where wallet_id = {ada}', 'wallet {ada}'],
  "a store's currency": [update('store', `currency = 'EUR'`, 'store_id = {shop}'), '{paid}'],
}
