import type { Translation } from '../../say.ts'
import { words as common } from '../common/es.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  ...common,
  title: 'Caja',
  notYet: 'Tu caja se abrirá aquí pronto.',
}
