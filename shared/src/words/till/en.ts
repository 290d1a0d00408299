import { words as common } from '../common/en.ts'

export const words = {
  ...common,
  title: 'Till',
  notYet: 'Your till opens here soon.',
} as const
