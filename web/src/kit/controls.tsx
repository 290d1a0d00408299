import { type FocusEvent, type ReactNode, useId } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextField, type TextFieldProps } from 'react-aria-components/TextField'
import { toWesternDigits } from './amounts.ts'
import { type Check, useChecks } from './checks.ts'
import { Icon } from './display.tsx'
import { useFieldProblem } from './Form.tsx'
import { useCommonLanguage } from './language.tsx'

type Props = Omit<ButtonProps, 'className' | 'style' | 'children' | 'isPending' | 'onClick'> & {
  /** `caution` is for a button that opens a dialog whose confirming button is `danger`. `link` is for rarely used actions. */
  look?: 'primary' | 'quiet' | 'link' | 'caution' | 'danger'
  isWide?: boolean
  /** Shows a spinner and ignores presses. Keeps the focus. */
  isBusy?: boolean
  onClick?: () => void
  children: ReactNode
}

export function Button({ look = 'primary', isWide, isBusy, onClick, children, ...rest }: Props) {
  const classes = ['button', look !== 'primary' && `button-${look}`]
  if (isWide) classes.push('button-wide')
  return (
    <AriaButton
      {...rest}
      className={classes.filter(Boolean).join(' ')}
      isPending={isBusy === true}
      // `onPress` ignores a touch that scrolls the page or ends outside the button.
      {...(onClick && { onPress: onClick })}
    >
      {children}
    </AriaButton>
  )
}

type FieldProps = Omit<
  TextFieldProps,
  'className' | 'style' | 'children' | 'isInvalid' | 'value' | 'onBlur'
> & {
  label: string
  value: string
  help?: string | undefined
  /** Returns what is wrong with the text. By default, `type` decides: emails and URLs are checked. */
  check?: Check
  /** Shown immediately, in place of any other problem, such as a refusal that has no field name. */
  problem?: string | undefined
}

/** A text field. In a `Form`, it keeps the form from being sent while its text is missing or wrong. */
export function Field({ label, help, check, problem, onChange, ...field }: FieldProps) {
  const { translate } = useCommonLanguage()
  const checks = useChecks()
  const { value, type, name, isRequired, isDisabled } = field
  // Phones with an Arabic or Persian keyboard type their own digits, which the server refuses.
  const isNumber =
    type === 'tel' || field.inputMode === 'numeric' || field.autoComplete === 'one-time-code'
  const isEmpty = value.trim() === ''
  const byType = type === 'email' ? checks.email : type === 'url' ? checks.url : undefined
  function findProblem(): string | undefined {
    if (isDisabled) return undefined
    if (isEmpty) return isRequired ? translate('field_required') : undefined
    return (check ?? byType)?.(value)
  }
  const valueProblem = findProblem()
  const { shownProblem, marks, onEdit, onLeave } = useFieldProblem({ name, valueProblem, isEmpty })
  const sentence = problem ?? shownProblem
  return (
    <TextField
      {...field}
      {...marks}
      className="field"
      onChange={(text) => {
        onEdit()
        onChange?.(isNumber ? toWesternDigits(text) : text)
      }}
      onBlur={(event: FocusEvent) => onLeave(event.relatedTarget)}
      isInvalid={sentence !== undefined}
      // With `native`, the browser shows its own message, in its own language.
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
        <span role="alert">{sentence}</span>
      </FieldError>
    </TextField>
  )
}

type SelectProps<Value extends string> = {
  label: string
  value: Value
  options: readonly (readonly [value: Value, word: string])[]
  onChange: (value: Value) => void
  name?: string | undefined
  help?: string | undefined
  isDisabled?: boolean
  /** The first option. It can't be submitted: the user has to choose another one. */
  placeholder?: string
  check?: Check
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, value, options, onChange, name, help, isDisabled, placeholder, check } = props
  const { translate } = useCommonLanguage()
  const id = useId()
  const isMissing = placeholder !== undefined && value === ''
  const valueProblem = isMissing ? translate('field_select') : check?.(value)
  const { shownProblem, marks, onEdit } = useFieldProblem({ name, valueProblem, isEmpty: false })
  const describedBy = [help && `${id}-help`, shownProblem && `${id}-problem`]
    .filter(Boolean)
    .join(' ')
  return (
    <div className="field" {...marks}>
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className="field-input"
        name={name}
        value={value}
        disabled={isDisabled}
        aria-invalid={shownProblem !== undefined}
        aria-describedby={describedBy || undefined}
        onChange={(event) => {
          onEdit()
          onChange(event.target.value as Value)
        }}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map(([option, word]) => (
          <option key={option} value={option}>
            {word}
          </option>
        ))}
      </select>
      {help && (
        <span className="field-help" id={`${id}-help`}>
          {help}
        </span>
      )}
      <FieldProblem id={`${id}-problem`} text={shownProblem} />
    </div>
  )
}

function FieldProblem({ id, text }: { id: string; text: string | undefined }) {
  return (
    text !== undefined && (
      <span className="field-problem" id={id}>
        <Icon name="warning" />
        <span role="alert">{text}</span>
      </span>
    )
  )
}

type CheckGroupProps = {
  legend: string
  /** False while nothing is chosen, which keeps the form from being sent. */
  isChosen: boolean
  children: ReactNode
}

/** Checkboxes of which at least one is needed. */
export function CheckGroup({ legend, isChosen, children }: CheckGroupProps) {
  const { translate } = useCommonLanguage()
  const id = useId()
  const valueProblem = isChosen ? undefined : translate('field_choice')
  const { shownProblem, marks } = useFieldProblem({ valueProblem, isEmpty: false })
  return (
    <fieldset className="group" aria-describedby={shownProblem && `${id}-problem`} {...marks}>
      <legend className="field-label">{legend}</legend>
      {children}
      <FieldProblem id={`${id}-problem`} text={shownProblem} />
    </fieldset>
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
