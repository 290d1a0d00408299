import type { Translation } from '../../translate.ts'
import { words as common } from '../common/fr.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  ...common,
  title: 'Paiements Florin',
  intro:
    'Acceptez des paiements avec un code QR. Le client le scanne avec son portefeuille et le magasin voit aussitôt qu’il a payé.',
  apps: 'Ouvrir',
  wallet: 'Portefeuille',
  walletNote: 'Pour les clients : scanner, payer et voir les reçus.',
  till: 'Caisse',
  tillNote: 'Pour les caissiers : encaisser un montant et afficher le code.',
  dashboard: 'Tableau de bord',
  dashboardNote: 'Pour les commerçants : paiements, remboursements, solde et clés d’API.',
  operator: 'Console de l’opérateur',
  operatorNote: 'Pour l’opérateur de ce service.',
  docs: 'Référence de l’API',
  docsNote: 'Pour les développeurs : tous les points d’accès, avec des exemples.',
  demoTitle: 'Identifiants de la démo',
  demoNote: 'Ils ne fonctionnent que sur ce service de démonstration.',
  version: 'Version {version}',
  notFoundTitle: 'Page introuvable',
  notFoundNote: 'Vérifiez l’adresse ou allez à la page d’accueil.',
  needsScript:
    'Cette page a besoin de JavaScript. Activez-le dans votre navigateur, puis rechargez la page.',
  notLoaded:
    'La page ne s’est pas chargée. Rechargez-la. Si cela ne suffit pas, mettez à jour votre navigateur.',
  toStart: 'Page d’accueil',
}
