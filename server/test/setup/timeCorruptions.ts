import { changePayment, copyEvent, copyTransfer, update } from './corrupt.ts'

/** Corruptions that set a time to `infinity` and to `-infinity`. */
function infinite(
  table: string,
  column: string,
  id: string,
  subject: string,
): Record<string, [string, string]> {
  const key = table === 'payment' || table === 'event' ? 'payment_id' : 'reference'
  return Object.fromEntries(
    ['infinity', '-infinity'].map((value) => [
      `${column} of a ${table} (${id}): ${value}`,
      [update(table, `${column} = '${value}'`, `${key} = '{${id}}'`), subject],
    ]),
  )
}

/** Corruptions to times that no clock shows, in the form of `CORRUPTIONS`. */
export const TIME_CORRUPTIONS: Record<string, [statement: string, subject: string]> = {
  ...infinite('payment', 'created_at', 'paid', 'payment {paid}'),
  ...infinite('payment', 'expires_at', 'paid', 'payment {paid}'),
  ...infinite('payment', 'expires_at', 'pending', 'payment {pending}'),
  ...infinite('payment', 'settled_at', 'expired', 'payment {expired}'),
  ...infinite('payment', 'refunded_at', 'refunded', 'payment {refunded}'),
  ...infinite('payment', 'usage_day', 'pending', 'payment {pending}'),
  ...infinite('transfer', 'at', 'paid', 'payment {paid}'),
  ...infinite('wallet_transfer', 'at', 'paid', 'payment {paid}'),
  ...infinite('event', 'created_at', 'paid', 'event 1 of payment {paid}'),
  'a donation that was not made, at an infinite time': [
    copyTransfer('transfer', 'converted', 'payment', { kind: `'donation'`, at: `'infinity'` }),
    'donation {converted}',
  ],
  'a withdrawal that was not made, at an infinite time': [
    copyTransfer('wallet_transfer', 'withdrawal', 'withdrawal', {
      reference: `'out_again'`,
      at: `'infinity'`,
    }),
    'withdrawal out_again',
  ],
  'an event of a payment that does not exist, at an infinite time': [
    copyEvent('paid', { payment_id: `'pay_nobody'`, created_at: `'infinity'` }),
    'event 1 of payment pay_nobody',
  ],
  'a payment that expires in the year 290000': [
    changePayment(`expires_at = '290000-01-01'`, 'pending'),
    'payment {pending}',
  ],
}
