import { type ReactNode, useId } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextField, type TextFieldProps } from 'react-aria-components/TextField'
import { Icon } from './display.tsx'

type Props = Omit<ButtonProps, 'className' | 'style' | 'children' | 'isPending' | 'onClick'> & {
  look?: 'primary' | 'quiet' | 'danger'
  isWide?: boolean
  /** Work goes on: it shows so, keeps the focus and cannot be pressed again. */
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
      // A press is a click that was meant: not one that ends elsewhere or scrolls the page.
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

/** `onChange` is given the text itself. */
export function Field({ label, help, problem, ...field }: FieldProps) {
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

type ChoiceProps<Value extends string> = {
  label: string
  value: Value
  options: readonly (readonly [value: Value, word: string])[]
  onChange: (value: Value) => void
  help?: string
  isDisabled?: boolean
}

/** One of a few, with the browser's own list, which every phone and reader knows. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
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

type CheckProps = {
  label: string
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  isDisabled?: boolean
}

export function Check({ label, isChecked, onChange, isDisabled }: CheckProps) {
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
