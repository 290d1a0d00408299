import type { Translation } from '../../say.ts'
import { words as common } from '../common/zh.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  ...common,
  title: '钱包',
  notYet: '您的钱包即将在此开放。',
}
