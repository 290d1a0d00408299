import { type ReactNode, useId } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextField, type TextFieldProps } from 'react-aria-components/TextField'
import { Icon } from './display.tsx'

type Props = Omit<ButtonProps, 'className' | 'style' | 'children' | 'isPending' | 'onClick'> & {
  /** `caution` opens a dialog whose confirming button is `danger`. */
  look?: 'primary' | 'quiet' | 'caution' | 'danger'
  isWide?: boolean
  /** Shows a spinner and ignores presses. Keeps the focus. */
  isBusy?: boolean
  onClick?: () => void
  children: ReactNode
}

export function Button({ look = 'primary', isWide, isBusy, onClick, children, ...rest }: Props) {
  const names = ['button', look !== 'primary' && `button-${look}`]
  if (isWide) names.push('button-wide')
  return (
    <AriaButton
      {...rest}
      className={names.filter(Boolean).join(' ')}
      isPending={isBusy === true}
      // `onPress` ignores a touch that scrolls the page or ends outside the button.
      {...(onClick && { onPress: onClick })}
    >
      {children}
    </AriaButton>
  )
}

type FieldProps = Omit<TextFieldProps, 'className' | 'style' | 'children' | 'isInvalid'> & {
  label: string
  help?: string | undefined
  problem?: string | undefined
}

export function Field({ label, help, problem, ...field }: FieldProps) {
  return (
    <TextField
      {...field}
      className="field"
      isInvalid={problem !== undefined}
      // Without it, the browser shows its own message, in its own language.
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

type SelectProps<Value extends string> = {
  label: string
  value: Value
  options: readonly (readonly [value: Value, word: string])[]
  onChange: (value: Value) => void
  help?: string
  isDisabled?: boolean
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, value, options, onChange, help, isDisabled } = props
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className="field-input"
        value={value}
        disabled={isDisabled}
        aria-describedby={help && `${id}-help`}
        onChange={(event) => onChange(event.target.value as Value)}
      >
        {options.map(([one, word]) => (
          <option key={one} value={one}>
            {word}
          </option>
        ))}
      </select>
      {help && (
        <span className="field-help" id={`${id}-help`}>
          {help}
        </span>
      )}
    </div>
  )
}

type CheckboxProps = {
  label: string
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  isDisabled?: boolean
}

export function Checkbox({ label, isChecked, onChange, isDisabled }: CheckboxProps) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  )
}
