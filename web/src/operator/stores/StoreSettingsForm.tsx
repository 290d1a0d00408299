import type { OperatorStore } from '@florin/contract/operator.js'
import { useState } from 'react'
import { ActionButton } from '../../kit/console/actions.tsx'
import { Field, Select } from '../../kit/controls.tsx'
import { Facts, Notice } from '../../kit/display.tsx'
import { Allowed } from '../Allowed.tsx'
import { useLanguage } from '../language.ts'
import { useCan, useSession } from '../session.ts'
import { FIELDS, type Form, GROUPS, toBody, toForm } from './settings.ts'

/** The settings of a store. The dialog lists the changes before they are saved. */
export function StoreSettingsForm({ store, onDone }: { store: OperatorStore; onDone: () => void }) {
  const { say } = useLanguage()
  const { request } = useSession()
  const isDisabled = !useCan('admin')
  const [form, setForm] = useState<Form>(() => toForm(store))
  const changed = FIELDS.filter((name) => form[name] !== toForm(store)[name])
  const set = (name: keyof Form) => (value: string) => setForm({ ...form, [name]: value })
  return (
    <div className="stack">
      {isDisabled && <Notice tone="pending">{say('adminOnly')}</Notice>}
      {GROUPS.map(([group, names]) => (
        <section key={group} className="card stack" aria-label={say(group)}>
          <h2>{say(group)}</h2>
          <div className="fields">
            {names.map((name) =>
              name === 'unique_references' ? (
                <Select
                  key={name}
                  label={say(name)}
                  value={form[name]}
                  onChange={set(name)}
                  isDisabled={isDisabled}
                  options={[
                    ['false', say('no')],
                    ['true', say('yes')],
                  ]}
                />
              ) : (
                <Field
                  key={name}
                  label={say(name)}
                  value={form[name]}
                  onChange={set(name)}
                  isDisabled={isDisabled}
                />
              ),
            )}
          </div>
          {group === 'limits' && <p className="small soft">{say('emptyIsNone')}</p>}
        </section>
      ))}
      <Allowed permission="admin">
        <div>
          <ActionButton
            label={say('save')}
            look="primary"
            isIncomplete={changed.length === 0}
            run={() =>
              request(`stores/${store.id}`, { method: 'PATCH', body: toBody(form, changed) })
            }
            onDone={onDone}
          >
            {changed.length === 0 ? (
              <p>{say('nothingChanged')}</p>
            ) : (
              <Facts
                facts={changed.map((name) => [
                  say(name),
                  <bdi key={name}>{`${toForm(store)[name] || '–'} → ${form[name] || '–'}`}</bdi>,
                ])}
              />
            )}
            <p className="small soft">{say('settingsNote')}</p>
          </ActionButton>
        </div>
      </Allowed>
    </div>
  )
}
