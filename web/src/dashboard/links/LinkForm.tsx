import type { Link } from '@florin/contract/links.js'
import { localDay } from '@florin/server/core/calendar.js'
import { LANGUAGE_NAMES, LOCALES } from '@florin/shared/locales.js'
import { useState } from 'react'
import { parseTypedAmount, parseTypedWholeNumber } from '../../kit/amounts.ts'
import { useChecks } from '../../kit/checks.ts'
import { ConfirmDialog } from '../../kit/console/actions.tsx'
import { Button, Field, Select } from '../../kit/controls.tsx'
import { useFields } from '../../kit/form.ts'
import { useSession } from '../../kit/store/session.tsx'
import { parseTime } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'
import { dayEdge } from '../payments/filters.ts'
import { useDashboardRoute } from '../route.ts'

const MAX_TITLE_LENGTH = 120
const MAX_PAYMENTS = 1_000_000

type Props = {
  /** The link to change. If absent, the form creates one. */
  link?: Link
  onDone: (link: Link) => void
  onClose: () => void
}

export function LinkForm({ link, onDone, onClose }: Props) {
  const { translate } = useLanguage()
  const { account, request } = useSession()
  const { mode } = useDashboardRoute()
  const { currency, time_zone: zone } = account.store
  const checks = useChecks()
  const [initial] = useState(() => ({
    title: link?.title ?? '',
    amount: '',
    description: link?.description ?? '',
    max_payments: link?.max_payments?.toString() ?? '',
    expires_at: lastDayOf(link?.expires_at ?? null, zone),
    locale: link?.locale ?? '',
  }))
  const [hasAllFields, setAllFields] = useState(link !== undefined)
  const { fields, field: textField } = useFields(initial)
  // Each edit creates a new Idempotency-Key; a retry sends the same one.
  const newKey = () => crypto.randomUUID()
  const [key, setKey] = useState(newKey)
  const field = (name: keyof typeof fields) => {
    const { onChange, ...rest } = textField(name)
    return {
      ...rest,
      onChange: (text: string) => {
        setKey(newKey())
        onChange(text)
      },
    }
  }

  function save() {
    const { title, amount, description, max_payments: max, expires_at: day, locale } = fields
    const values = {
      title: title.trim(),
      amount: amount.trim() === '' ? null : Number(parseTypedAmount(amount, currency)),
      description: description.trim() || null,
      max_payments: parseTypedWholeNumber(max),
      expires_at: day === '' ? null : dayEdge(day, zone, 'end'),
      locale: locale || null,
    }
    if (link === undefined) {
      return request<Link>(`${mode}/links`, { method: 'POST', body: values, key })
    }
    // Sends only what was changed: the server refuses a day that is over.
    const body = Object.fromEntries(
      Object.entries(values).filter(([name]) => {
        const fieldName = name as keyof typeof fields
        return fields[fieldName] !== initial[fieldName]
      }),
    )
    return request<Link>(`${mode}/links/${link.link_id}`, { method: 'PATCH', body })
  }

  return (
    <ConfirmDialog
      title={translate(link ? 'changeLink' : 'newLink')}
      confirmLabel={translate(link ? 'save' : 'createLink')}
      conflictText={translate('tooManyLinks')}
      run={save}
      onDone={onDone}
      onClose={onClose}
    >
      <Field
        label={translate('linkTitle')}
        help={translate('linkTitleHelp')}
        {...field('title')}
        maxLength={MAX_TITLE_LENGTH}
        autoComplete="off"
        isRequired
      />
      {link === undefined && (
        <Field
          label={`${translate('amount')} (${currency})`}
          help={translate('linkAmountHelp')}
          {...field('amount')}
          inputMode="decimal"
          autoComplete="off"
          check={checks.amount(currency, { isAboveZero: true })}
        />
      )}
      {hasAllFields ? (
        <>
          <Field
            label={translate('linkDescription')}
            help={translate('linkDescriptionHelp')}
            {...field('description')}
            maxLength={1000}
            autoComplete="off"
            autoFocus={link === undefined}
          />
          <Field
            label={translate('maxPayments')}
            help={translate('maxPaymentsHelp')}
            {...field('max_payments')}
            inputMode="numeric"
            autoComplete="off"
            check={checks.wholeNumber(1, MAX_PAYMENTS)}
          />
          <Field
            label={translate('lastDay')}
            help={translate('lastDayHelp')}
            type="date"
            {...field('expires_at')}
            check={(day) =>
              day !== initial.expires_at && day < localDay(new Date(), zone)
                ? translate('field_future')
                : undefined
            }
          />
          <Select
            label={translate('linkLanguage')}
            help={translate('linkLanguageHelp')}
            {...field('locale')}
            options={[
              ['', translate('automatic')],
              ...LOCALES.map((locale) => [locale, LANGUAGE_NAMES[locale]] as const),
            ]}
          />
        </>
      ) : (
        <Button look="link" onClick={() => setAllFields(true)}>
          {translate('moreOptions')}
        </Button>
      )}
    </ConfirmDialog>
  )
}

/** The last day on which the link works: a link that expires at midnight works until the end of the day before. */
const lastDayOf = (expiresAt: string | null, timeZone: string) =>
  expiresAt === null ? '' : localDay(new Date(parseTime(expiresAt).getTime() - 1000), timeZone)
