import type { Translation } from '../../say.ts'
import { words as common } from '../common/es.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  ...common,
  title: 'Cartera',
  notYet: 'Tu cartera se abrirá aquí pronto.',
}
