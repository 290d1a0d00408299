import { type ReactNode, useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { Icon } from '../kit/display.tsx'
import { submitHandler } from '../kit/form.ts'
import { useLanguage } from './language.ts'
import { filterPage, type PageName } from './route.ts'

type Props = {
  page: PageName
  /** The filters as typed. */
  fields: Readonly<Record<string, string>>
  children: ReactNode
}

/** The filters of a list. A narrow screen shows them on request, or if some are set. */
export function FilterForm({ page, fields, children }: Props) {
  const { translate } = useLanguage()
  const [isOpen, setOpen] = useState(() => Object.values(fields).some((text) => text !== ''))
  return (
    <search>
      <button
        type="button"
        className="button button-quiet button-wide filter-toggle"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="search" />
        {translate('filters')}
      </button>
      <form
        className={isOpen ? 'card filter-form' : 'card filter-form filter-closed'}
        onSubmit={submitHandler(() => filterPage(page, fields))}
      >
        {children}
        <div className="filter-actions">
          <Button type="submit">
            <Icon name="search" />
            {translate('find')}
          </Button>
          <Button look="quiet" onClick={() => filterPage(page, {})}>
            {translate('showAll')}
          </Button>
        </div>
      </form>
    </search>
  )
}
