import type { OperatorStore } from '@florin/contract/operator.js'
import { type ReactNode, useState } from 'react'
import { type Check, useChecks } from '../../kit/checks.ts'
import { ConfirmDialog } from '../../kit/console/actions.tsx'
import { Section } from '../../kit/console/Section.tsx'
import { SavedNote } from '../../kit/console/states.tsx'
import { Button, Field, Select } from '../../kit/controls.tsx'
import { Facts, Notice } from '../../kit/display.tsx'
import { Form } from '../../kit/Form.tsx'
import { TimeZoneSelect } from '../../kit/pickers.tsx'
import type { ApiResponse, Problem } from '../../kit/request.ts'
import { Allowed } from '../Allowed.tsx'
import { useLanguage } from '../language.ts'
import { useCan, useSession } from '../session.ts'
import { FIELDS, GROUPS, type SettingName, type SettingTexts, toBody, toTexts } from './settings.ts'

/** The settings of a store. The dialog lists the changes before they are saved. */
export function StoreSettingsForm({ store, onDone }: { store: OperatorStore; onDone: () => void }) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const isDisabled = !useCan('admin')
  const rulesOf = useSettingRules(store.currency)
  const [texts, setTexts] = useState<SettingTexts>(() => toTexts(store))
  const [isAsking, setAsking] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const stored = toTexts(store)
  const changed = FIELDS.filter((name) => texts[name] !== stored[name])

  async function save(): Promise<ApiResponse<OperatorStore>> {
    const body = toBody(texts, changed, store.currency)
    const response = await request<OperatorStore>(`stores/${store.id}`, { method: 'PATCH', body })
    const hasFieldErrors = !response.ok && response.problem.errors.length > 0
    setProblem(hasFieldErrors ? response.problem : null)
    if (hasFieldErrors) setAsking(false)
    return response
  }

  function renderField(name: SettingName): ReactNode {
    const props = {
      name,
      label: translate(name),
      value: texts[name],
      onChange: (value: string) => {
        setSaved(false)
        setTexts({ ...texts, [name]: value })
      },
      isDisabled,
    }
    if (name === 'time_zone') return <TimeZoneSelect key={name} {...props} />
    if (name === 'unique_references') {
      const options = [
        ['false', translate('no')],
        ['true', translate('yes')],
      ] as const
      return <Select key={name} {...props} options={options} />
    }
    return <Field key={name} {...props} {...rulesOf(name)} />
  }

  return (
    <Form onSubmit={() => setAsking(true)} problem={problem}>
      {isDisabled && <Notice tone="pending">{translate('adminOnly')}</Notice>}
      {GROUPS.map(([group, names]) => (
        <section key={group} className="card stack" aria-label={translate(group)}>
          <Section title={translate(group)}>
            <div className="fields">{names.map(renderField)}</div>
            {group === 'limits' && <p className="small soft">{translate('emptyIsNone')}</p>}
          </Section>
        </section>
      ))}
      <Allowed permission="admin">
        <div className="buttons">
          <Button type="submit">{translate('save')}</Button>
          <SavedNote isSaved={isSaved} />
        </div>
      </Allowed>
      {isAsking && (
        <ConfirmDialog
          title={translate('save')}
          confirmLabel={translate('save')}
          blockedReason={changed.length === 0 && translate('nothingChanged')}
          run={save}
          onDone={(saved) => {
            setAsking(false)
            setSaved(true)
            // As stored: "1.50" for a typed "1,5".
            setTexts(toTexts(saved))
            onDone()
          }}
          onClose={() => setAsking(false)}
        >
          <Facts
            facts={changed.map((name) => [
              translate(name),
              <bdi key={name}>{`${stored[name] || '–'} → ${texts[name] || '–'}`}</bdi>,
            ])}
          />
          <p className="small soft">{translate('settingsNote')}</p>
        </ConfirmDialog>
      )}
    </Form>
  )
}

type Rules = {
  readonly isRequired?: boolean
  readonly check?: Check
  readonly type?: 'email' | 'url' | 'tel'
  readonly inputMode?: 'decimal' | 'numeric'
}

function useSettingRules(currency: string): (name: SettingName) => Rules {
  const checks = useChecks()
  const amount = { check: checks.amount(currency), inputMode: 'decimal' } as const
  const positiveAmount = { ...amount, check: checks.amount(currency, { isAboveZero: true }) }
  const rules: Partial<Record<SettingName, Rules>> = {
    name: { isRequired: true },
    email: { type: 'email' },
    phone: { type: 'tel' },
    logo: { type: 'url' },
    fee_bps: { isRequired: true, check: checks.percent, inputMode: 'decimal' },
    fee_fixed: { ...amount, isRequired: true },
    refund_fee: { ...amount, isRequired: true },
    min_amount: positiveAmount,
    max_amount: positiveAmount,
    daily_limit: amount,
    monthly_limit: amount,
    expires_after_seconds: {
      isRequired: true,
      check: checks.wholeNumber(60, 86_400),
      inputMode: 'numeric',
    },
    refund_cap_manager: amount,
    refund_cap_cashier: amount,
  }
  return (name) => rules[name] ?? {}
}
