import { useId } from 'react'

type Props<Value extends string> = {
  label: string
  options: readonly (readonly [value: Value, text: string])[]
  value: Value
  onChange: (value: Value) => void
}

/** Chooses one of a few values. All are visible. */
export function Segments<Value extends string>({ label, options, value, onChange }: Props<Value>) {
  const name = useId()
  return (
    <div className="segments" role="radiogroup" aria-label={label}>
      {options.map(([option, text]) => (
        <label key={option} className={`segment segment-${option}`}>
          <input
            type="radio"
            name={name}
            checked={value === option}
            onChange={() => onChange(option)}
            className="visually-hidden"
          />
          {text}
        </label>
      ))}
    </div>
  )
}
