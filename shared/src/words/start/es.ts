import type { Translation } from '../../translate.ts'
import { words as common } from '../common/es.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  ...common,
  title: 'Pagos con Florin',
  intro:
    'Acepta pagos con un código QR. El cliente lo escanea con su cartera y la tienda ve al momento que ha pagado.',
  apps: 'Abrir',
  wallet: 'Cartera',
  walletNote: 'Para clientes: escanear, pagar y ver recibos.',
  till: 'Caja',
  tillNote: 'Para cajeros: cobrar un importe y mostrar el código.',
  dashboard: 'Panel',
  dashboardNote: 'Para dueños de tiendas: pagos, devoluciones, saldo y claves de API.',
  operator: 'Consola del operador',
  operatorNote: 'Para el operador de este servicio.',
  docs: 'Referencia de la API',
  docsNote: 'Para desarrolladores: todos los endpoints, con ejemplos.',
  demoTitle: 'Accesos de la demo',
  demoNote: 'Solo funcionan en este servicio de demostración.',
  version: 'Versión {version}',
  notFoundTitle: 'Página no encontrada',
  notFoundNote: 'Comprueba la dirección o ve a la página de inicio.',
  needsScript:
    'Esta página necesita JavaScript. Actívalo en tu navegador y vuelve a cargar la página.',
  notLoaded:
    'La página no se ha cargado. Vuelve a cargarla. Si no funciona, actualiza tu navegador.',
  toStart: 'Página de inicio',
}
