import type { Translation } from '../../say.ts'
import type { words as en } from './en.ts'

export const words: Translation<typeof en> = {
  hello: 'Bonjour {name},',
  helloWithoutName: 'Bonjour,',
  footer: 'Ceci est un message automatique de {service}. Merci de ne pas y répondre.',
  linkHelp: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
  testMark: '[Test] {subject}',
  code: 'Code',
  store: 'Magasin',
  amount: 'Montant',
  time: 'Heure',
  note: 'Note',
  reference: 'Référence',
  payment: 'Paiement',
  device: 'Appareil',
  address: 'Adresse IP',
  unknown: 'Inconnu',
  testSubject: 'Message de test',
  testBody: 'La messagerie est bien configurée. Vous pouvez supprimer ce message.',
  invitationSubjectStore: 'Votre invitation à rejoindre {store}',
  invitationSubjectOperator: 'Votre invitation à la console opérateur',
  invitationBodyStore:
    '{by} vous a ajouté à {store}. Choisissez un mot de passe, puis connectez-vous.',
  invitationBodyOperator:
    '{by} vous a ajouté comme opérateur. Choisissez un mot de passe, puis connectez-vous.',
  invitationEnd:
    'Le lien fonctionne une seule fois et expire dans 72 heures. Si vous n’attendiez pas cette invitation, ignorez ce message.',
  choosePassword: 'Choisir un mot de passe',
  resetSubject: 'Réinitialisez votre mot de passe',
  resetBody:
    'Un nouveau mot de passe a été demandé pour votre compte. Pour le choisir, ouvrez ce lien.',
  resetEnd:
    'Le lien fonctionne une seule fois et expire dans 1 heure. Si vous ne l’avez pas demandé, ignorez ce message. Votre mot de passe ne change pas.',
  activationSubject: 'Activez votre portefeuille',
  activationBody:
    'Votre portefeuille est prêt. Ouvrez ce lien, ou saisissez le code dans le portefeuille, et choisissez un code PIN.',
  activationEnd:
    'Le code fonctionne une seule fois et expire dans 24 heures. Ne le donnez à personne.',
  activate: 'Activer le portefeuille',
  signupSubject: 'Ouvrez votre portefeuille',
  signupBody:
    'Pour ouvrir votre portefeuille, ouvrez ce lien ou saisissez le code dans le portefeuille.',
  signupEnd:
    'Le code fonctionne une seule fois. Ne le donnez à personne. Si vous ne l’avez pas demandé, ignorez ce message.',
  openWallet: 'Ouvrir le portefeuille',
  newDeviceSubject: 'Nouvelle connexion à votre compte',
  newDeviceBody: 'Une connexion à votre compte a eu lieu depuis un nouvel appareil.',
  newDeviceEnd:
    'Si ce n’était pas vous, changez votre mot de passe ou votre code PIN maintenant. Cela ferme toutes les autres sessions.',
  changedSubject: 'Votre compte a été modifié',
  changed_password: 'Le mot de passe de votre compte a été changé.',
  changed_passkey_added: 'Une clé d’accès a été ajoutée à votre compte.',
  changed_passkey_removed: 'Une clé d’accès a été retirée de votre compte.',
  changed_totp_added: 'Une application d’authentification a été ajoutée à votre compte.',
  changed_totp_removed: 'L’application d’authentification a été retirée de votre compte.',
  changed_recovery_codes: 'De nouveaux codes de secours ont été créés pour votre compte.',
  changedEnd:
    'Si ce n’était pas vous, réinitialisez votre mot de passe et contactez votre opérateur.',
  credentialSubject_api_key: 'Nouvelle clé API',
  credentialSubject_token: 'Nouveau jeton d’opérateur',
  credentialBody_api_key: 'Une clé API a été créée pour votre magasin.',
  credentialBody_token: 'Un jeton d’opérateur a été créé.',
  credentialEnd: 'Si vous ne vous y attendiez pas, révoquez l’accès maintenant.',
  label: 'Libellé',
  createdBy: 'Créé par',
  payoutSubject: 'Versement de {amount}',
  payoutBody: '{amount} ont été versés à {store}.',
  approvalSubject: 'Approbation nécessaire : {amount}',
  approvalBody:
    '{by} a besoin de votre approbation. Aucun argent ne bouge avant l’accord d’un second opérateur.',
  action: 'Action',
  account: 'Compte',
  review: 'Examiner',
  receiptSubject: 'Reçu de {store}',
  receiptBody: 'Vous avez payé {amount} à {store}.',
  refundSubject: 'Remboursement de {store}',
  refundBody: '{store} vous a remboursé {amount}.',
  testPayment: 'Ceci est un paiement de test. Aucun argent n’a été transféré.',
  closeSubject: 'Clôture du jour de {store} : {day}',
  closeBody: 'Voici la clôture du jour de {store} pour le {day}.',
  payments: 'Paiements',
  sales: 'Ventes',
  refunds: 'Remboursements',
  fees: 'Frais',
  net: 'Net',
  openDashboard: 'Ouvrir le tableau de bord',
}
