type Props<Value extends string> = {
  label: string
  value: Value
  onChange: (value: Value) => void
  options: readonly (readonly [value: Value, word: string])[]
}

/** One of a few, by the browser's own list, which every phone and reader knows. */
export function Select<Value extends string>({ label, value, onChange, options }: Props<Value>) {
  return (
    <label className="field">
      <span className="field-label">{label}</span>
      <select
        className="field-input"
        value={value}
        onChange={(event) => onChange(event.target.value as Value)}
      >
        {options.map(([one, word]) => (
          <option key={one} value={one}>
            {word}
          </option>
        ))}
      </select>
    </label>
  )
}
