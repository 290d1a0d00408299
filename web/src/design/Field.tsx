import { type InputHTMLAttributes, useId } from 'react'
import { Icon } from './Icon.tsx'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id'> & {
  label: string
  help?: string | undefined
  problem?: string | undefined
}

export function Field({ label, help, problem, ...input }: Props) {
  const id = useId()
  const notes = [help && `${id}-help`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input
        {...input}
        id={id}
        className="field-input"
        aria-invalid={problem !== undefined}
        aria-describedby={notes || undefined}
      />
      {help && (
        <p className="field-help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {problem && (
        <p className="field-problem" id={`${id}-problem`} role="alert">
          <Icon name="warning" />
          {problem}
        </p>
      )}
    </div>
  )
}
