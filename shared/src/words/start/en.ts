import { words as common } from '../common/en.ts'

export const words = {
  ...common,
  title: 'Florin payments',
  intro:
    'Accept payments with a QR code. Customers scan it with their wallet, and the shop sees immediately that they paid.',
  apps: 'Open',
  wallet: 'Wallet',
  walletNote: 'For customers: scan, pay and see receipts.',
  till: 'Till',
  tillNote: 'For cashiers: charge an amount and show the code.',
  dashboard: 'Dashboard',
  dashboardNote: 'For shop owners: payments, refunds, balance and API keys.',
  operator: 'Operator console',
  operatorNote: 'For the operator of this service.',
  docs: 'API reference',
  docsNote: 'For developers: every endpoint, with examples.',
  demoTitle: 'Demo sign-ins',
  demoNote: 'They work only on this demo service.',
  version: 'Version {version}',
  notFoundTitle: 'Page not found',
  notFoundNote: 'Check the address, or go to the start page.',
  needsScript: 'This page needs JavaScript. Enable it in your browser, then reload the page.',
  notLoaded: 'The page did not load. Reload it. If that does not help, update your browser.',
  toStart: 'Start page',
} as const
