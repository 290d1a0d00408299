import type { ButtonHTMLAttributes } from 'react'

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'disabled'> & {
  look?: 'primary' | 'quiet' | 'danger'
  isWide?: boolean
  /** Work goes on: it shows so and cannot be pressed again. */
  isBusy?: boolean
  isDisabled?: boolean
}

export function Button({ look = 'primary', isWide, isBusy, isDisabled, onClick, ...rest }: Props) {
  const names = ['button', look !== 'primary' && `button-${look}`]
  if (isWide) names.push('button-wide')
  if (isBusy) names.push('button-busy')
  const isOff = Boolean(isBusy || isDisabled)
  return (
    <button
      type="button"
      {...rest}
      className={names.filter(Boolean).join(' ')}
      aria-busy={isBusy}
      // Not `disabled`: that would drop the focus of who has just pressed it.
      aria-disabled={isOff}
      onClick={(event) => {
        if (isOff) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
}
