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
} as const
