import { Field } from '../kit/controls.tsx'
import { useLanguage } from './language.ts'

type ChosenPin = { readonly first: string; readonly second: string }
export const NO_PIN: ChosenPin = { first: '', second: '' }

type Props = {
  chosen: ChosenPin
  choose: (chosen: ChosenPin) => void
  /** Whether the form was submitted. Only then do empty fields show a problem. */
  isSubmitted: boolean
  isWeak: boolean
}

/** Two fields for a new PIN, because it can't be seen while it is typed. */
export function NewPin({ chosen, choose, isSubmitted, isWeak }: Props) {
  const { translate } = useLanguage()
  const isDifferent = isSubmitted && chosen.second !== chosen.first
  const isMissing = isSubmitted && chosen.first === ''
  const field = { type: 'password', inputMode: 'numeric', autoComplete: 'new-password' } as const
  return (
    <>
      <Field
        {...field}
        label={translate('newPin')}
        help={translate('pinRule')}
        value={chosen.first}
        onChange={(first) => choose({ ...chosen, first })}
        check={(pin) => (/^[0-9]{4,8}$/.test(pin) ? undefined : translate('field_pin'))}
        problem={isMissing ? translate('field_pin') : isWeak ? translate('pinWeak') : undefined}
      />
      <Field
        {...field}
        label={translate('repeatPin')}
        value={chosen.second}
        onChange={(second) => choose({ ...chosen, second })}
        check={(pin) => (pin === chosen.first ? undefined : translate('pinsDiffer'))}
        problem={isDifferent ? translate('pinsDiffer') : undefined}
      />
    </>
  )
}
