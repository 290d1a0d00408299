import type { Translation } from '../../say.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  pages: 'Pages',
  loading: 'Chargement',
  copy: 'Copier',
  copied: 'Copié',
  showMore: 'Afficher plus',
  close: 'Fermer',
}
