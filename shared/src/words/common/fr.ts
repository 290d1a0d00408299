import type { Translation } from '../../translate.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  language: 'Langue',
  sandbox: 'Mode test',
  sandboxNote: 'Aucun argent réel ne circule ici.',
  pending: 'En attente de paiement',
  completed: 'Payé',
  failed: 'Échoué',
  expired: 'Expiré',
  cancelled: 'Annulé',
  refunded: 'Remboursé',
  needsHttps:
    'Cette adresse ne commence pas par https : vous ne pouvez pas rester connecté. Ouvrez l’adresse https de ce service.',
  needsOtherBrowser:
    'Ce navigateur ne garde pas la session ouverte sur localhost sans https. Utilisez Chrome, Edge ou Firefox, ou ouvrez l’adresse https de ce service.',
  wrongAddress: 'Ce service n’est pas utilisable à cette adresse. Ouvrez plutôt {address}.',
}
