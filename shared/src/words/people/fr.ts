import type { Translation } from '../../say.ts'
import { words as common } from '../common/fr.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  ...common,
  email: 'E-mail',
  password: 'Mot de passe',
  signIn: 'Se connecter',
  signInHelp: 'Pas encore de compte ? Demandez au propriétaire du magasin.',
  signOut: 'Se déconnecter',
  wrongPassword: 'E-mail ou mot de passe incorrect. Vérifiez-les et réessayez.',
  locked:
    'Trop de mots de passe incorrects. Patientez 15 minutes ou plus, ou demandez-en un nouveau au propriétaire ou à l’opérateur.',
  sessionEnded: 'Votre session est terminée. Connectez-vous pour continuer.',
  offline: 'Pas de connexion. Vérifiez le réseau et réessayez.',
  unavailable: 'Le service ne répond pas pour le moment. Patientez un instant et réessayez.',
  tooMany: 'Trop d’essais. Attendez une minute et réessayez.',
  forbidden: 'Vous ne pouvez pas faire cela ici. Demandez à un responsable ou au propriétaire.',
  notFound: 'Introuvable ici. Vérifiez le mode : réel ou test.',
  stillRunning: 'Le premier essai est encore en cours. Patientez un instant et réessayez.',
  notAccepted: 'Ceci n’a pas été accepté. Modifiez et réessayez.',
  tryAgain: 'Réessayer',
  back: 'Retour',
  mode: 'Mode',
  live: 'Réel',
  sandboxShort: 'Test',
  owner: 'Propriétaire',
  manager: 'Responsable',
  cashier: 'Caissier',
  viewer: 'Lecture seule',
  refund: 'Remboursement',
  refundAmount: 'Rembourser {amount}',
  paid: 'Payé',
  refundFee: 'Frais de remboursement',
  feeWaived: 'Frais non prélevés (solde insuffisant)',
  payerGets: 'Le payeur reçoit',
  balanceNow: 'Solde du magasin actuel',
  balanceAfter: 'Solde du magasin après',
  refundAsk: 'Rendre l’argent ?',
  refundAskNote:
    'Le payeur reçoit {amount} et {balance} quittent le solde du magasin. C’est irréversible.',
  keep: 'Garder la vente',
  refundDone: 'Remboursé. Le payeur a récupéré l’argent.',
  aboveCap:
    'Vous pouvez rembourser jusqu’à {cap}. Demandez à un responsable ou au propriétaire de rembourser cette vente.',
  role_not_allowed:
    'Votre rôle ne permet pas de rembourser. Demandez à un responsable ou au propriétaire.',
  already_refunded: 'Cette vente a déjà été remboursée. Il n’y a plus rien à faire.',
  not_completed: 'Seule une vente payée peut être remboursée.',
  insufficient_store_balance:
    'Le solde du magasin ne suffit pas. Remboursez après d’autres ventes ou demandez au propriétaire de l’alimenter.',
}
