import { words as common } from '../common/en.ts'

export const words = {
  ...common,
  title: 'Wallet',
  notYet: 'Your wallet opens here soon.',
} as const
