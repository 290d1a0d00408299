import type { IconName } from '@florin/shared/icons.js'
import { useId, useState } from 'react'
import { Button } from '../controls.tsx'
import { Dialog } from '../Dialog.tsx'
import { Icon } from '../display.tsx'
import { useConsoleLanguage } from '../language.tsx'

export type NavigationItem = {
  readonly href: string
  readonly label: string
  readonly icon: IconName
  readonly isCurrent: boolean
  /** The heading above the pages with the same group. */
  readonly group?: string | undefined
  /** The number of pending items on the page. Not shown if zero. */
  readonly count?: number
}

/** The number of pages that fit beside each other on a phone. */
const MAX_ON_PHONE = 5
/** If there are more, a phone shows this many, and a menu with the others. */
const BESIDE_MENU = 3

/** The pages of a console: on the side, and at the bottom on a phone. */
export function Navigation({ items }: { items: readonly NavigationItem[] }) {
  const { translate } = useConsoleLanguage()
  const [isOpen, setOpen] = useState(false)
  const hasMenu = items.length > MAX_ON_PHONE
  const inMenu = hasMenu ? items.slice(BESIDE_MENU) : []
  const count = inMenu.reduce((total, item) => total + (item.count ?? 0), 0)
  const close = () => setOpen(false)
  return (
    <nav className="rail" aria-label={translate('pages')}>
      <Pages items={items} inMenu={inMenu} />
      {hasMenu && (
        <button
          type="button"
          className="rail-item rail-more"
          aria-haspopup="dialog"
          aria-current={inMenu.some(({ isCurrent }) => isCurrent) ? 'true' : undefined}
          onClick={() => setOpen(true)}
        >
          <Icon name="more" />
          <span>{translate('more')}</span>
          <Count count={count} />
        </button>
      )}
      <Dialog title={translate('pages')} isOpen={isOpen} onClose={close}>
        <Pages items={inMenu} inMenu={[]} onChoose={close} />
        <Button look="quiet" isWide onClick={close}>
          {translate('close')}
        </Button>
      </Dialog>
    </nav>
  )
}

type PagesProps = {
  items: readonly NavigationItem[]
  /** The pages that a phone shows in the menu only. */
  inMenu: readonly NavigationItem[]
  onChoose?: () => void
}

function Pages({ items, inMenu, onChoose }: PagesProps) {
  const id = useId()
  const groups = [...new Set(items.map(({ group }) => group))]
  return (
    <div className="rail-pages">
      {groups.map((group, n) => (
        <div key={group ?? ''} className="rail-group">
          {group !== undefined && (
            <p id={`${id}-${n}`} className="rail-title">
              {group}
            </p>
          )}
          <ul aria-labelledby={group === undefined ? undefined : `${id}-${n}`}>
            {items
              .filter((item) => item.group === group)
              .map((item) => (
                <li key={item.href} className={inMenu.includes(item) ? 'rail-hidden' : undefined}>
                  <a
                    className="rail-item"
                    href={item.href}
                    aria-current={item.isCurrent ? 'page' : undefined}
                    onClick={onChoose}
                  >
                    <Icon name={item.icon} />
                    <span>{item.label}</span>
                    <Count count={item.count ?? 0} />
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </div>
  )
}

function Count({ count }: { count: number }) {
  return count > 0 && <strong className="rail-count">{count}</strong>
}
