import type { Translation } from '../../say.ts'
import { words as books } from '../books/fr.ts'
import { words as console } from '../console/fr.ts'
import { words as developers } from '../developers/fr.ts'
import { words as people } from '../people/fr.ts'
import { words as settings } from '../settings/fr.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  ...people,
  ...console,
  ...books,
  ...developers,
  ...settings,
  title: 'Tableau de bord',
  overview: 'Aperçu',
  payments: 'Paiements',
  balance: 'Solde',
  developers: 'Développeurs',
  settings: 'Réglages',
  account: 'Votre compte',
  name: 'Nom',
  role: 'Rôle',
  store: 'Magasin',
  openTill: 'Ouvrir la caisse',
  notYours: 'Votre rôle n’a pas cette page. Demandez au propriétaire du magasin.',
  noPage: 'Cette page n’existe pas.',
  time: 'Heure',
  status: 'État',
  amount: 'Montant',
}
