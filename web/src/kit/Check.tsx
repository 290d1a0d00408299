type Props = {
  label: string
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  isDisabled?: boolean
}

export function Check({ label, isChecked, onChange, isDisabled }: Props) {
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
