import type { StoreSettings } from '@florin/contract/store.js'
import { LANGUAGE_NAMES, LOCALES } from '@florin/shared/locales.js'
import { clockText } from '@florin/shared/time.js'
import { useState } from 'react'
import { useAccount } from '../../kit/account/context.ts'
import { parseTypedAmount } from '../../kit/amounts.ts'
import { useChecks } from '../../kit/checks.ts'
import { Section } from '../../kit/console/Section.tsx'
import { Button, Checkbox, Field, Select } from '../../kit/controls.tsx'
import { Card, Notice } from '../../kit/display.tsx'
import { Form } from '../../kit/Form.tsx'
import { isMailEnabled } from '../../kit/mail.ts'
import { TimeZoneSelect } from '../../kit/pickers.tsx'
import { ProblemNote } from '../../kit/problems.tsx'
import type { Problem } from '../../kit/request.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'

const VALIDITY_SECONDS = [60, 300, 900, 1800, 3600, 7200, 43_200, 86_400]
const MAX_ORIGINS = 20

const splitOrigins = (text: string) => text.split(/\s+/).filter(Boolean)

const fieldsOf = (settings: StoreSettings) => ({
  ...settings,
  refund_cap_manager: settings.refund_cap_manager ?? '',
  refund_cap_cashier: settings.refund_cap_cashier ?? '',
  embed_origins: settings.embed_origins.join(' '),
  locale: settings.locale ?? 'en',
})

/** The settings in the fields, as the API reads them. */
function bodyOf(fields: ReturnType<typeof fieldsOf>) {
  const { currency, name, domain, email, phone, time_zone, unique_references } = fields
  return {
    // Customers see these, and pasted text often has spaces around it.
    name: name.trim(),
    domain: domain.trim(),
    email: email.trim(),
    phone: phone.trim(),
    time_zone,
    unique_references,
    expires_after_seconds: fields.expires_after_seconds,
    refund_cap_manager: parseTypedAmount(fields.refund_cap_manager, currency),
    refund_cap_cashier: parseTypedAmount(fields.refund_cap_cashier, currency),
    embed_origins: splitOrigins(fields.embed_origins),
    locale: fields.locale,
    mail_receipts: fields.mail_receipts,
    mail_daily_close: fields.mail_daily_close,
  }
}

type Body = ReturnType<typeof bodyOf>

/** Returns only what this page changed: another page may have changed other settings meanwhile. */
function changesOf(before: Partial<Body>, after: Body): Partial<Body> {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof Body])
  return Object.fromEntries(Object.entries(after).filter(isChanged))
}

type Props = { settings: StoreSettings; isOwner: boolean }

/** The profile of the store. Only the owner can change it. All changes are saved together. */
export function Profile({ settings, isOwner }: Props) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const { refresh } = useAccount()
  const checks = useChecks()
  const [fields, setFields] = useState(() => fieldsOf(settings))
  // Without the settings of a failed attempt: the service may have saved them.
  const [saved, setSaved] = useState<Partial<Body>>(() => bodyOf(fields))
  const [state, setState] = useState<'untouched' | 'edited' | 'busy' | 'saved' | Problem>(
    'untouched',
  )
  const set = (name: keyof typeof fields) => (value: string | boolean | number) => {
    setState('edited')
    setFields((before) => ({ ...before, [name]: value }))
  }
  const textField = (name: 'name' | 'domain' | 'email' | 'phone' | 'embed_origins') => ({
    name,
    value: fields[name],
    onChange: set(name),
    isDisabled: !isOwner,
  })
  const capField = (name: 'refund_cap_manager' | 'refund_cap_cashier') => ({
    name,
    value: fields[name],
    onChange: set(name),
    isDisabled: !isOwner,
    help: translate('capHelp'),
    inputMode: 'decimal' as const,
    check: checks.amount(settings.currency),
  })
  const seconds = [...new Set([...VALIDITY_SECONDS, settings.expires_after_seconds])]

  async function save(): Promise<void> {
    if (state === 'busy') return
    setState('busy')
    const changes = changesOf(saved, bodyOf(fields))
    const response = await request<StoreSettings>('settings', { method: 'PATCH', body: changes })
    if (!response.ok) {
      setState(response.problem)
      const isKept = ([name]: [string, unknown]) => !(name in changes)
      setSaved((before) => Object.fromEntries(Object.entries(before).filter(isKept)))
      return
    }
    setState('saved')
    const current = fieldsOf(response.data)
    setSaved(bodyOf(current))
    // Keep what was typed meanwhile.
    setFields((typed) => (typed === fields ? current : typed))
    // The header and the times on other pages use the store of the session.
    await refresh()
  }

  return (
    <Card label={translate('profile')}>
      <Form onSubmit={save} problem={typeof state === 'object' ? state : null}>
        {!isOwner && <p className="soft">{translate('onlyOwner')}</p>}
        <Section title={translate('store')}>
          <div className="fields">
            <Field
              label={translate('shopName')}
              {...textField('name')}
              isRequired
              maxLength={255}
            />
            <Field label={translate('domain')} {...textField('domain')} />
            <Field label={translate('email')} {...textField('email')} type="email" />
            <Field label={translate('phone')} {...textField('phone')} type="tel" />
            <TimeZoneSelect
              label={translate('timeZone')}
              help={translate('timeZoneHelp')}
              isDisabled={!isOwner}
              value={fields.time_zone}
              onChange={set('time_zone')}
            />
          </div>
        </Section>
        <Section title={translate('payments')}>
          <div className="fields">
            <Select
              label={translate('validFor')}
              isDisabled={!isOwner}
              value={String(fields.expires_after_seconds)}
              onChange={(value) => set('expires_after_seconds')(Number(value))}
              options={seconds
                .toSorted((a, b) => a - b)
                .map((value) => [String(value), durationText(value)] as const)}
            />
            <Field
              label={translate('embedOrigins')}
              help={translate('embedOriginsHelp')}
              {...textField('embed_origins')}
              check={(text) =>
                splitOrigins(text).length > MAX_ORIGINS
                  ? translate('tooManyOrigins', { count: MAX_ORIGINS })
                  : checks.origins(text)
              }
            />
          </div>
          <Checkbox
            label={translate('uniqueReferences')}
            isDisabled={!isOwner}
            isChecked={fields.unique_references}
            onChange={set('unique_references')}
          />
        </Section>
        <Section title={translate('refunds')}>
          <div className="fields">
            <Field
              label={`${translate('managerCap')} (${settings.currency})`}
              {...capField('refund_cap_manager')}
            />
            <Field
              label={`${translate('cashierCap')} (${settings.currency})`}
              {...capField('refund_cap_cashier')}
            />
          </div>
        </Section>
        <Section title={translate('mails')}>
          {!isMailEnabled && <p className="small soft">{translate('mailsOff')}</p>}
          <Checkbox
            label={translate('mailReceipts')}
            isDisabled={!isOwner}
            isChecked={fields.mail_receipts}
            onChange={set('mail_receipts')}
          />
          <Select
            label={translate('mailLanguage')}
            isDisabled={!isOwner}
            value={fields.locale}
            onChange={set('locale')}
            options={LOCALES.map((locale) => [locale, LANGUAGE_NAMES[locale]] as const)}
          />
          <Checkbox
            label={translate('mailDailyClose')}
            isDisabled={!isOwner}
            isChecked={fields.mail_daily_close}
            onChange={set('mail_daily_close')}
          />
        </Section>
        {isOwner && (
          <div className={state === 'untouched' ? 'form-untouched' : 'form-actions'}>
            {typeof state === 'object' && <ProblemNote problem={state} />}
            <div role="status">
              {state === 'saved' && <Notice tone="completed">{translate('saved')}</Notice>}
            </div>
            <Button type="submit" isWide isBusy={state === 'busy'}>
              {translate('save')}
            </Button>
          </div>
        )}
      </Form>
    </Card>
  )

  function durationText(lengthSeconds: number): string {
    const hours = lengthSeconds / 3600
    if (Number.isInteger(hours)) return translate('hours', { count: hours })
    const minutes = lengthSeconds / 60
    // The operator can set any number of seconds.
    return Number.isInteger(minutes)
      ? translate('minutes', { count: minutes })
      : clockText(lengthSeconds)
  }
}
