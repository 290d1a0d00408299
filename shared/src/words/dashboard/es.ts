import type { Translation } from '../../say.ts'
import { words as books } from '../books/es.ts'
import { words as console } from '../console/es.ts'
import { words as developers } from '../developers/es.ts'
import { words as people } from '../people/es.ts'
import { words as settings } from '../settings/es.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  ...people,
  ...console,
  ...books,
  ...developers,
  ...settings,
  title: 'Panel',
  overview: 'Resumen',
  payments: 'Pagos',
  balance: 'Saldo',
  developers: 'Desarrollo',
  settings: 'Ajustes',
  account: 'Tu cuenta',
  name: 'Nombre',
  role: 'Rol',
  store: 'Tienda',
  openTill: 'Abrir la caja',
  notYours: 'Tu rol no tiene esta página. Pídela a quien lleva la tienda.',
  noPage: 'Esa página no existe.',
  time: 'Hora',
  status: 'Estado',
  amount: 'Importe',
}
