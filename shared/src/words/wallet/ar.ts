import type { Translation } from '../../say.ts'
import { words as common } from '../common/ar.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  ...common,
  title: 'المحفظة',
  notYet: 'ستُفتح محفظتك هنا قريبًا.',
}
