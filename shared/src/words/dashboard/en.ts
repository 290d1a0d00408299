import { words as console } from '../console/en.ts'
import { words as people } from '../people/en.ts'

export const words = {
  ...people,
  ...console,
  title: 'Dashboard',
  overview: 'Overview',
  payments: 'Payments',
  balance: 'Balance',
  developers: 'Developers',
  settings: 'Settings',
  account: 'Your account',
  name: 'Name',
  role: 'Role',
  store: 'Store',
  openTill: 'Open the till',
  notYours: 'Your role does not have this page. Ask the owner of the store.',
  noPage: 'There is no such page.',
  time: 'Time',
  status: 'Status',
  amount: 'Amount',
} as const
