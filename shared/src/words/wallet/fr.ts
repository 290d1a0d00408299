import type { Translation } from '../../say.ts'
import { words as common } from '../common/fr.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  ...common,
  title: 'Portefeuille',
  notYet: 'Votre portefeuille ouvrira bientôt ici.',
}
