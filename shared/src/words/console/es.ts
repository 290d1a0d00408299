import type { Translation } from '../../say.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  pages: 'Páginas',
  loading: 'Cargando',
  copy: 'Copiar',
  copied: 'Copiado',
  showMore: 'Mostrar más',
  close: 'Cerrar',
}
