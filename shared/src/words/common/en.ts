export const words = {
  language: 'Language',
  sandbox: 'Sandbox',
  sandboxNote: 'No real money moves here.',
  pending: 'Waiting for payment',
  completed: 'Paid',
  failed: 'Failed',
  expired: 'Expired',
  cancelled: 'Cancelled',
  refunded: 'Refunded',
  needsHttps:
    'This address does not start with https, so you cannot stay signed in. Open the https address of this service.',
  needsOtherBrowser:
    'This browser does not keep you signed in at localhost without https. Use Chrome, Edge or Firefox, or open the https address of this service.',
  wrongAddress: 'This service cannot be used at this address. Open {address} instead.',
} as const
