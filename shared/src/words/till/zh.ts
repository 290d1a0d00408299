import type { Translation } from '../../say.ts'
import { words as common } from '../common/zh.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  ...common,
  title: '收银台',
  notYet: '您的收银台即将在此开放。',
}
