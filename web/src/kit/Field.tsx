import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextField, type TextFieldProps } from 'react-aria-components/TextField'
import { Icon } from './Icon.tsx'

type Props = Omit<TextFieldProps, 'className' | 'style' | 'children' | 'isInvalid'> & {
  label: string
  help?: string | undefined
  problem?: string | undefined
}

/** `onChange` is given the text itself. */
export function Field({ label, help, problem, ...field }: Props) {
  return (
    <TextField
      {...field}
      className="field"
      isInvalid={problem !== undefined}
      // The words are ours; the browser's own bubble would say it in its own language.
      validationBehavior="aria"
    >
      <Label className="field-label">{label}</Label>
      <Input className="field-input" />
      {help && (
        <Text className="field-help" slot="description">
          {help}
        </Text>
      )}
      <FieldError className="field-problem">
        <Icon name="warning" />
        <span role="alert">{problem}</span>
      </FieldError>
    </TextField>
  )
}
