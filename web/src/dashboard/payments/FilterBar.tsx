import { type FormEvent, useEffect, useState } from 'react'
import { toDecimal, typedMinor } from '../../kit/amounts.ts'
import { type Check, useChecks } from '../../kit/checks.ts'
import { useScrollToCurrent } from '../../kit/console/scrollToCurrent.ts'
import { Button, Field } from '../../kit/controls.tsx'
import { Icon, type ShownStatus } from '../../kit/display.tsx'
import { Form } from '../../kit/Form.tsx'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { ColumnChoice, type ColumnChoiceProps } from './columns.tsx'
import { type Filter, STATUSES } from './filters.ts'
import { searchText } from './searchText.ts'

/** The fields behind "More filters". */
const FIELDS = [
  { name: 'from', word: 'fromDay', type: 'date' },
  { name: 'to', word: 'toDay', type: 'date' },
  { name: 'min', word: 'amountFrom', type: 'text' },
  { name: 'max', word: 'amountTo', type: 'text' },
  { name: 'payer', word: 'payer', type: 'text' },
  { name: 'reference', word: 'reference', type: 'text' },
] as const

export function FilterBar({ columns }: { columns: ColumnChoiceProps }) {
  const { translate } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const [isChoosing, setChoosing] = useState(false)
  return (
    <div className="filters">
      <div className="filters-line">
        <Search />
        <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {translate('moreFilters')}
        </Button>
        <Button look="quiet" aria-expanded={isChoosing} onClick={() => setChoosing(!isChoosing)}>
          {translate('columns')}
        </Button>
      </div>
      <StatusFilter />
      {isOpen && <MoreFilters />}
      {isChoosing && <ColumnChoice {...columns} />}
      <ActiveFilters />
    </div>
  )
}

function Search() {
  const { translate, locale } = useLanguage()
  const { currency } = useSession().account.store
  const { query, setQuery } = useDashboardRoute()
  const current = query.get('search') ?? ''
  const [text, setText] = useState(current)
  // The URL also changes when the user goes back.
  useEffect(() => setText(current), [current])
  function submit(event: FormEvent): void {
    event.preventDefault()
    const search = searchText(text, currency, locale)
    setText(search)
    setQuery({ search })
  }
  return (
    <search className="search">
      <form onSubmit={submit}>
        <Icon name="search" />
        <input
          type="search"
          value={text}
          maxLength={255}
          autoComplete="off"
          aria-label={translate('searchLabel')}
          placeholder={translate('searchHint')}
          onChange={(event) => setText(event.target.value)}
          className="field-input"
        />
        {text.trim() !== current && (
          <button type="submit" className="search-send">
            {translate('find')}
          </button>
        )}
      </form>
    </search>
  )
}

function StatusFilter() {
  const { translate } = useLanguage()
  const { query, setQuery } = useDashboardRoute()
  const chosen = query.get('status')
  const row = useScrollToCurrent<HTMLFieldSetElement>(chosen ?? 'any')
  const chip = (status: ShownStatus | null) => (
    <button
      key={status ?? 'any'}
      type="button"
      className="chip"
      aria-pressed={chosen === status}
      onClick={() => setQuery({ status })}
    >
      {status !== null && <Icon name={status} />}
      {status === null ? translate('anyStatus') : translate(status)}
    </button>
  )
  return (
    <fieldset ref={row} className="chips">
      <legend className="visually-hidden">{translate('status')}</legend>
      {chip(null)}
      {STATUSES.map(chip)}
    </fieldset>
  )
}

const readFields = (query: URLSearchParams) =>
  Object.fromEntries(FIELDS.map(({ name }) => [name, query.get(name) ?? '']))

function MoreFilters() {
  const { translate } = useLanguage()
  const { query, setQuery } = useDashboardRoute()
  const { account } = useSession()
  const [typed, setTyped] = useState(() => readFields(query))
  useEffect(() => setTyped(readFields(query)), [query])
  const { currency } = account.store
  const checkAmount = useChecks().amount(currency)
  const isBelow = (text: string, limit: string) => {
    const [value, minimum] = [typedMinor(text, currency), typedMinor(limit, currency)]
    return typeof value === 'bigint' && typeof minimum === 'bigint' && value < minimum
  }
  const checks: Readonly<Partial<Record<Filter, Check>>> = {
    to: (day) => (day < typed.from! ? translate('field_period') : undefined),
    min: checkAmount,
    max: (text) =>
      checkAmount(text) ?? (isBelow(text, typed.min!) ? translate('field_minAboveMax') : undefined),
  }
  function apply(): void {
    const { min, max, payer, reference } = typed
    setQuery({
      ...typed,
      min: toDecimal(min!),
      max: toDecimal(max!),
      payer: payer!.trim(),
      reference: reference!.trim(),
    })
  }
  return (
    <Form className="card fields" onSubmit={apply}>
      {FIELDS.map(({ name, word, type }) => (
        <Field
          key={name}
          name={name}
          label={translate(word)}
          type={type}
          autoComplete="off"
          value={typed[name]!}
          {...(type === 'text' && { maxLength: 255 })}
          {...((name === 'min' || name === 'max') && { inputMode: 'decimal' as const })}
          {...(checks[name] && { check: checks[name] })}
          onChange={(text) => setTyped({ ...typed, [name]: text })}
        />
      ))}
      <div className="filter-apply">
        <Button type="submit">{translate('applyFilters')}</Button>
      </div>
    </Form>
  )
}

/** The active filters except the status, each with a button to remove it. */
function ActiveFilters() {
  const { translate } = useLanguage()
  const { query, setQuery } = useDashboardRoute()
  const filters = [
    { name: 'search', word: 'search' },
    { name: 'link', word: 'link' },
    ...FIELDS,
  ] as const
  const active = filters.filter(({ name }) => query.has(name))
  if (active.length === 0) return null
  return (
    <ul className="chips">
      {active.map(({ name, word }) => (
        <li key={name}>
          <Chip name={name} text={`${translate(word)}: ${query.get(name)}`} remove={setQuery} />
        </li>
      ))}
    </ul>
  )
}

type ChipProps = {
  name: Filter
  text: string
  remove: (filters: Readonly<Record<string, null>>) => void
}

function Chip({ name, text, remove }: ChipProps) {
  const { translate } = useLanguage()
  return (
    <button type="button" className="chip chip-active" onClick={() => remove({ [name]: null })}>
      <bdi>{text}</bdi>
      <Icon name="close" />
      <span className="visually-hidden">{translate('removeFilter')}</span>
    </button>
  )
}
