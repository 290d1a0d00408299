import { useId } from 'react'

type Props<Value extends string> = {
  label: string
  value: Value
  options: readonly (readonly [value: Value, word: string])[]
  onChange: (value: Value) => void
  help?: string
  isDisabled?: boolean
}

/** One of a few, with the browser's own list, which every phone and reader knows. */
export function Choice<Value extends string>(props: Props<Value>) {
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
