import { useState } from 'react'
import { Choice, Field } from '../../kit/controls.tsx'
import { Facts } from '../../kit/display.tsx'
import { Act } from '../Act.tsx'
import { useLanguage } from '../language.ts'
import { useSession } from '../session.ts'
import type { Store } from '../types.ts'
import { changesOf, FIELDS, type Form, formOf, GROUPS } from './settings.ts'

/** Everything that can be set; what would change is shown before it does. */
export function StoreSettings({ store, onDone }: { store: Store; onDone: () => void }) {
  const { say } = useLanguage()
  const { ask } = useSession()
  const [form, setForm] = useState<Form>(() => formOf(store))
  const changed = FIELDS.filter((name) => form[name] !== formOf(store)[name])
  const set = (name: keyof Form) => (value: string) => setForm({ ...form, [name]: value })
  return (
    <div className="stack">
      {GROUPS.map(([group, names]) => (
        <section key={group} className="card stack" aria-label={say(group)}>
          <h2>{say(group)}</h2>
          <div className="fields">
            {names.map((name) =>
              name === 'unique_references' ? (
                <Choice
                  key={name}
                  label={say(name)}
                  value={form[name]}
                  onChange={set(name)}
                  options={[
                    ['false', say('no')],
                    ['true', say('yes')],
                  ]}
                />
              ) : (
                <Field key={name} label={say(name)} value={form[name]} onChange={set(name)} />
              ),
            )}
          </div>
          {group === 'limits' && <p className="small soft">{say('emptyIsNone')}</p>}
        </section>
      ))}
      <div>
        <Act
          label={say('save')}
          look="primary"
          confirm={say('save')}
          isIncomplete={changed.length === 0}
          run={() => ask(`stores/${store.id}`, { method: 'PATCH', body: changesOf(form, changed) })}
          onDone={onDone}
        >
          {changed.length === 0 ? (
            <p>{say('nothingChanged')}</p>
          ) : (
            <Facts
              facts={changed.map((name) => [
                say(name),
                <bdi key={name}>{`${formOf(store)[name] || '–'} → ${form[name] || '–'}`}</bdi>,
              ])}
            />
          )}
          <p className="small soft">{say('settingsNote')}</p>
        </Act>
      </div>
    </div>
  )
}
