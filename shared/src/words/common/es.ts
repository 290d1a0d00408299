import type { Translation } from '../../translate.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  language: 'Idioma',
  sandbox: 'Modo de prueba',
  sandboxNote: 'Aquí no se mueve dinero real.',
  pending: 'Esperando el pago',
  completed: 'Pagado',
  failed: 'Fallido',
  expired: 'Caducado',
  cancelled: 'Cancelado',
  refunded: 'Devuelto',
  needsHttps:
    'Esta dirección no empieza por https, así que no puedes mantener la sesión. Abre la dirección https de este servicio.',
  needsOtherBrowser:
    'Este navegador no mantiene la sesión en localhost sin https. Usa Chrome, Edge o Firefox, o abre la dirección https de este servicio.',
  wrongAddress: 'Este servicio no se puede usar en esta dirección. Abre {address}.',
}
