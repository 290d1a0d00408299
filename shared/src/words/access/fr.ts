import type { Translation } from '../../translate.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  tokens: 'Jetons',
  tokensNote:
    'Un programme appelle l’API opérateur avec un jeton. Le jeton appartient à l’opérateur qui l’a créé.',
  tokensUpgraded: {
    one: '{count} jeton date d’avant les autorisations. Il peut tout faire et cesse de fonctionner 90 jours après la mise à jour. Remplacez-le par un nouveau.',
    other:
      '{count} jetons datent d’avant les autorisations. Ils peuvent tout faire et cessent de fonctionner 90 jours après la mise à jour. Remplacez-les par de nouveaux.',
  },
  tokensActive: 'Actifs',
  tokensEnded: 'Terminés',
  noTokens: 'Aucun jeton.',
  noTokensHelp: 'Créez-en un pour chaque programme, avec les seules autorisations nécessaires.',
  newToken: 'Nouveau jeton',
  createToken: 'Créer le jeton',
  tokenLabelHelp: 'Ce qui utilise ce jeton.',
  tokenOwner: 'Propriétaire',
  revokeTokenNote:
    'Les requêtes avec ce jeton sont refusées dans les cinq secondes. Cette action est irréversible.',
  token_active: 'Actif',
  token_upgraded: 'À remplacer',
  token_revoked: 'Révoqué',
  token_expired: 'Expiré',
  token_owner_disabled: 'Propriétaire désactivé',
  scopes: 'Autorisations',
  scope_metrics: 'Métriques',
  scope_read: 'Lecture',
  scope_support: 'Assistance',
  scope_money: 'Argent',
  scope_admin: 'Administration',
  scopeNote_metrics: 'uniquement les métriques pour Prometheus',
  scopeNote_read: 'tout, sans modification',
  scopeNote_support:
    'lire, gérer les portefeuilles, et exporter ou effacer des données personnelles',
  scopeNote_money: 'lire, déplacer de l’argent et fixer les taux',
  scopeNote_admin: 'tout',
  lastUsed: 'Dernière utilisation',
  expires: 'Expire',
  expiresAfter: 'Expire après',
  days: {
    one: '{count} jour',
    other: '{count} jours',
  },
  approvals: 'Approbations',
  approvalsPending: 'En attente d’approbation',
  approvalsDecided: 'Décisions précédentes',
  noApprovals: 'Rien n’attend d’approbation.',
  noApprovalsHelp:
    'Les montants supérieurs à la limite de leur devise attendent ici un second opérateur.',
  noDecisions: 'Aucune décision pour l’instant.',
  approvalLimits: 'Limites d’approbation',
  approvalLimit: 'Limite',
  approvalLimitsNote:
    'Au-delà, une recharge, un retrait, un versement ou un apport demande un second opérateur.',
  noApprovalLimits: 'Aucune limite. Un seul opérateur peut déplacer n’importe quel montant.',
  setLimit: 'Fixer la limite',
  setLimitNote:
    'Avec 0, tout montant demande un second opérateur. Les approbations en attente ne changent pas.',
  requestedBy: 'Demandé par',
  decidedBy: 'Décidé par',
  anotherDecides: 'Nécessite un autre opérateur',
  approve: 'Approuver',
  deny: 'Refuser',
  approveNote: 'L’argent est déplacé immédiatement. Cette action est irréversible.',
  denyNote: 'Aucun argent n’est déplacé. L’opérateur peut refaire la demande.',
  approvalClosed: 'Cette demande est déjà décidée ou a expiré. Rechargez la page.',
  approval_pending: 'En attente',
  approval_approved: 'Approuvé',
  approval_denied: 'Refusé',
  approval_expired: 'Expiré',
  move_top_up: 'Recharger un portefeuille',
  move_withdrawal: 'Retirer d’un portefeuille',
  move_funding: 'Ajouter de l’argent à un magasin',
  move_payout: 'Verser à un magasin',
  waitsForApproval: 'En attente d’approbation',
  waitsForApprovalNote:
    'Ce montant dépasse la limite. Rien n’a encore été déplacé. Un autre opérateur doit l’approuver sous sept jours.',
  adminOnly: 'Seul un administrateur peut modifier ces réglages.',
  lastAdmin:
    'C’est le dernier administrateur qui peut se connecter. Nommez d’abord un autre opérateur administrateur.',
  operatorRole_admin: 'Administrateur',
  operatorRole_finance: 'Finances',
  operatorRole_support: 'Assistance',
  operatorRole_auditor: 'Auditeur',
  operatorRoleNote_admin:
    'Peut tout faire, y compris gérer les opérateurs, les jetons et les réglages.',
  operatorRoleNote_finance: 'Déplace de l’argent et fixe les taux. Voit tout.',
  operatorRoleNote_support:
    'Gère les portefeuilles et exporte ou efface des données personnelles, sans déplacer d’argent. Voit tout.',
  operatorRoleNote_auditor: 'Voit tout, y compris le journal d’audit. Ne modifie rien.',
}
