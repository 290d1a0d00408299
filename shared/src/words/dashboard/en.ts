import { words as books } from '../books/en.ts'
import { words as console } from '../console/en.ts'
import { words as developers } from '../developers/en.ts'
import { words as people } from '../people/en.ts'
import { words as settings } from '../settings/en.ts'

export const words = {
  ...people,
  ...console,
  ...books,
  ...developers,
  ...settings,
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
