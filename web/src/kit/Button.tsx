import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'

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
