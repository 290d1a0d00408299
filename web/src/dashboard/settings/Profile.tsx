import type { StoreSettings } from '@florin/contract/store.js'
import { LANGUAGE_NAMES, LOCALES } from '@florin/shared/locales.js'
import { useState } from 'react'
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

const VALID_SECONDS = [60, 300, 900, 1800, 3600, 7200, 43_200, 86_400]

type Props = { settings: StoreSettings; isOwner: boolean }

/** The settings that the owner can change, saved together. */
export function Profile({ settings, isOwner }: Props) {
  const { say } = useLanguage()
  const { request } = useSession()
  const checks = useChecks()
  const [fields, setFields] = useState({
    ...settings,
    refund_cap_manager: settings.refund_cap_manager ?? '',
    refund_cap_cashier: settings.refund_cap_cashier ?? '',
    embed_origins: settings.embed_origins.join(' '),
    locale: settings.locale ?? 'en',
  })
  const [state, setState] = useState<'untouched' | 'edited' | 'busy' | 'saved' | Problem>(
    'untouched',
  )
  const set = (name: keyof typeof fields) => (value: string | boolean | number) => {
    setState('edited')
    setFields((before) => ({ ...before, [name]: value }))
  }
  const text = (name: 'name' | 'domain' | 'email' | 'phone' | 'embed_origins') => ({
    name,
    value: fields[name],
    onChange: set(name),
    isDisabled: !isOwner,
  })
  const cap = (name: 'refund_cap_manager' | 'refund_cap_cashier') => ({
    name,
    value: fields[name],
    onChange: set(name),
    isDisabled: !isOwner,
    help: say('capHelp'),
    inputMode: 'decimal' as const,
    check: checks.amount(settings.currency),
  })
  const seconds = [...new Set([...VALID_SECONDS, settings.expires_after_seconds])]

  async function save(): Promise<void> {
    if (state === 'busy') return
    setState('busy')
    const { name, domain, email, phone, time_zone, unique_references } = fields
    const body = {
      name,
      domain,
      email,
      phone,
      time_zone,
      unique_references,
      expires_after_seconds: fields.expires_after_seconds,
      refund_cap_manager: parseTypedAmount(fields.refund_cap_manager, settings.currency),
      refund_cap_cashier: parseTypedAmount(fields.refund_cap_cashier, settings.currency),
      embed_origins: fields.embed_origins.split(/\s+/).filter(Boolean),
      locale: fields.locale || null,
      mail_receipts: fields.mail_receipts,
      mail_daily_close: fields.mail_daily_close,
    }
    const answer = await request('settings', { method: 'PATCH', body })
    setState(answer.ok ? 'saved' : answer.problem)
  }

  return (
    <Card label={say('profile')}>
      <Form onSubmit={save} problem={typeof state === 'object' ? state : null}>
        {!isOwner && <p className="soft">{say('onlyOwner')}</p>}
        <Section title={say('store')}>
          <div className="fields">
            <Field label={say('shopName')} {...text('name')} isRequired maxLength={255} />
            <Field label={say('domain')} {...text('domain')} />
            <Field label={say('email')} {...text('email')} type="email" />
            <Field label={say('phone')} {...text('phone')} type="tel" />
            <TimeZoneSelect
              label={say('timeZone')}
              help={say('timeZoneHelp')}
              isDisabled={!isOwner}
              value={fields.time_zone}
              onChange={set('time_zone')}
            />
          </div>
        </Section>
        <Section title={say('payments')}>
          <div className="fields">
            <Select
              label={say('validFor')}
              isDisabled={!isOwner}
              value={String(fields.expires_after_seconds)}
              onChange={(value) => set('expires_after_seconds')(Number(value))}
              options={seconds
                .toSorted((a, b) => a - b)
                .map((one) => [String(one), durationText(one)] as const)}
            />
            <Field
              label={say('embedOrigins')}
              help={say('embedOriginsHelp')}
              {...text('embed_origins')}
              check={checks.origins}
            />
          </div>
          <Checkbox
            label={say('uniqueReferences')}
            isDisabled={!isOwner}
            isChecked={fields.unique_references}
            onChange={set('unique_references')}
          />
        </Section>
        <Section title={say('refunds')}>
          <div className="fields">
            <Field
              label={`${say('managerCap')} (${settings.currency})`}
              {...cap('refund_cap_manager')}
            />
            <Field
              label={`${say('cashierCap')} (${settings.currency})`}
              {...cap('refund_cap_cashier')}
            />
          </div>
        </Section>
        <Section title={say('mails')}>
          {!isMailEnabled && <p className="small soft">{say('mailsOff')}</p>}
          <Checkbox
            label={say('mailReceipts')}
            isDisabled={!isOwner}
            isChecked={fields.mail_receipts}
            onChange={set('mail_receipts')}
          />
          <Select
            label={say('mailLanguage')}
            isDisabled={!isOwner}
            value={fields.locale}
            onChange={set('locale')}
            options={LOCALES.map((locale) => [locale, LANGUAGE_NAMES[locale]] as const)}
          />
          <Checkbox
            label={say('mailDailyClose')}
            isDisabled={!isOwner}
            isChecked={fields.mail_daily_close}
            onChange={set('mail_daily_close')}
          />
        </Section>
        {isOwner && (
          <div className={state === 'untouched' ? 'form-untouched' : 'form-actions'}>
            {typeof state === 'object' && <ProblemNote problem={state} />}
            <div role="status">
              {state === 'saved' && <Notice tone="completed">{say('saved')}</Notice>}
            </div>
            <Button type="submit" isWide isBusy={state === 'busy'}>
              {say('save')}
            </Button>
          </div>
        )}
      </Form>
    </Card>
  )

  function durationText(length: number): string {
    const hours = length / 3600
    if (Number.isInteger(hours)) return say('hours', { count: hours })
    return say('minutes', { count: Math.round(length / 60) })
  }
}
