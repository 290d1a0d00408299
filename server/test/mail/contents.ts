import type { MailContent, Template } from '../../src/core/mail.ts'

const AT = '2026-11-16 09:12:00'
const DEVICE = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0'
const URL =
  'https://pay.example.com/dashboard#invitation/fll_0123456789012345678901234567890123456789012'

/** An example of every template. */
export const CONTENTS = {
  test: { template: 'test' },
  invitation: {
    template: 'invitation',
    name: 'Grace Hopper',
    invitedBy: 'Ada Lovelace',
    store: 'Corner Café',
    url: URL,
  },
  password_reset: { template: 'password_reset', name: 'Grace Hopper', url: URL },
  wallet_activation: {
    template: 'wallet_activation',
    name: 'Grace Hopper',
    code: 'k3mz-9w2p-x7qa',
    url: 'https://pay.example.com/wallet#activate/k3mz-9w2p-x7qa',
  },
  wallet_signup: {
    template: 'wallet_signup',
    name: '',
    code: '482 913',
    url: 'https://pay.example.com/wallet#signup/482913',
  },
  new_device: {
    template: 'new_device',
    name: 'Grace Hopper',
    device: DEVICE,
    address: '203.0.113.7',
    at: AT,
  },
  account_changed: {
    template: 'account_changed',
    name: 'Grace Hopper',
    change: 'passkey_added',
    device: '',
    address: '203.0.113.7',
    at: AT,
  },
  new_credential: {
    template: 'new_credential',
    name: 'Grace Hopper',
    kind: 'api_key',
    label: 'Web shop',
    by: 'Ada Lovelace',
    at: AT,
  },
  payout: {
    template: 'payout',
    name: 'Grace Hopper',
    store: 'Corner Café',
    amount: '1,250.00 USD',
    note: 'October',
    at: AT,
  },
  approval_needed: {
    template: 'approval_needed',
    name: 'Grace Hopper',
    kind: 'payout',
    subject: 'store:17',
    amount: '25,000.00 USD',
    by: 'Ada Lovelace',
    url: 'https://pay.example.com/operator#approvals',
  },
  receipt: {
    template: 'receipt',
    name: 'Grace Hopper',
    store: 'Corner Café',
    amount: '13.00 USD',
    gross: '12.50 USD',
    gift: '0.50 USD',
    refundFee: null,
    reference: 'order-42',
    paymentId: 'pay_01jd3v0000000000000000000',
    at: AT,
    isTest: false,
  },
  refund: {
    template: 'refund',
    name: 'Grace Hopper',
    store: 'Corner Café',
    amount: '12.00 USD',
    gross: '12.50 USD',
    gift: null,
    refundFee: '0.50 USD',
    reference: null,
    paymentId: 'pay_01jd3v0000000000000000000',
    at: AT,
    isTest: true,
  },
  daily_close: {
    template: 'daily_close',
    name: 'Grace Hopper',
    store: 'Corner Café',
    day: '2026-11-15',
    payments: 42,
    gross: '1,040.50 USD',
    refunds: '12.50 USD',
    fees: '10.41 USD',
    net: '1,017.59 USD',
    url: 'https://pay.example.com/dashboard#balance',
  },
} as const satisfies { readonly [One in Template]: MailContent & { readonly template: One } }
