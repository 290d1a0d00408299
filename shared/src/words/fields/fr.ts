import type { Translation } from '../../translate.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  checkFields: 'Vérifiez les champs signalés.',
  choose: 'Choisir',
  field_required: 'Remplissez ce champ.',
  field_choice: 'Choisissez au moins une option.',
  field_select: 'Choisissez une option dans la liste.',
  field_email: 'Saisissez une adresse e-mail telle que ada@example.com.',
  field_phone: 'Saisissez un numéro avec l’indicatif du pays, tel que +15550100001.',
  field_amount: 'Saisissez un montant tel que {example}.',
  field_noDecimals: 'Saisissez un montant sans décimales. {currency} n’en a pas.',
  field_decimals: 'Saisissez au plus {count} décimales. {currency} n’en a pas plus.',
  field_digits: 'Saisissez au plus {count} chiffres avant la virgule.',
  field_aboveZero: 'Saisissez un montant supérieur à zéro.',
  field_atLeast: 'Saisissez {limit} ou plus.',
  field_atMost: 'Saisissez {limit} ou moins.',
  field_tooLong: {
    one: 'Saisissez au plus {count} caractère.',
    other: 'Saisissez au plus {count} caractères.',
  },
  field_tooShort: {
    one: 'Saisissez au moins {count} caractère.',
    other: 'Saisissez au moins {count} caractères.',
  },
  field_number: 'Saisissez un nombre entier.',
  field_rate:
    'Saisissez un taux supérieur à zéro avec au plus quatre décimales, tel que {example}.',
  field_percent: 'Saisissez un pourcentage de 0 à 100 avec au plus deux décimales.',
  field_url: 'Saisissez une adresse qui commence par http:// ou https://.',
  field_https: 'Saisissez une adresse qui commence par https://.',
  field_publicUrl: 'Saisissez une adresse accessible depuis Internet.',
  field_origin: 'Saisissez des adresses telles que https://shop.example.com, sans chemin.',
  field_currencies: 'Choisissez deux devises différentes.',
  field_noRate: 'Il n’y a pas de taux de change pour cette devise. Choisissez-en une autre.',
  field_future: 'Choisissez un jour à venir.',
  field_nextDays: 'Choisissez un jour dans les {days} prochains jours.',
  field_period: 'La fin ne peut pas précéder le début.',
  field_tooManyDays: {
    one: 'Choisissez au plus {count} jour.',
    other: 'Choisissez au plus {count} jours.',
  },
  field_minAboveMax: 'Le minimum ne peut pas dépasser le maximum.',
  field_dayLimit:
    'Ce montant dépasse la limite quotidienne. Vous pouvez encore encaisser {amount} aujourd’hui.',
  field_monthLimit:
    'Ce montant dépasse la limite mensuelle. Vous pouvez encore encaisser {amount} ce mois-ci.',
  field_pin: 'Saisissez de 4 à 8 chiffres.',
  field_weakPin:
    'Ce code PIN est facile à deviner. Évitez les chiffres répétés, les suites comme 1234 et les années.',
  field_commonPassword: 'C’est l’un des mots de passe les plus courants. Choisissez-en un autre.',
  field_emailPassword:
    'Votre adresse e-mail, ou la partie avant le @, ne peut pas être votre mot de passe.',
  field_samePassword: 'C’est votre mot de passe actuel. Choisissez-en un autre.',
  field_wrong: 'Ce n’est pas correct. Vérifiez et réessayez.',
  field_taken: 'Déjà utilisé. Choisissez autre chose.',
  field_characters: 'Certains de ces caractères ne peuvent pas être enregistrés. Retirez-les.',
  field_invalid: 'Cela n’a pas été accepté. Modifiez et réessayez.',
}
