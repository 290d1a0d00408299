import type { StoreSettings } from '@florin/contract/store.js'
import { ROLES } from '@florin/contract/values.js'
import type { Role } from '@florin/server/core/person.js'
import { useState } from 'react'
import { SavedNote } from '../../kit/console/states.tsx'
import { Button, Checkbox } from '../../kit/controls.tsx'
import { Card } from '../../kit/display.tsx'
import { Form } from '../../kit/Form.tsx'
import { useAction } from '../../kit/form.ts'
import { ProblemNote } from '../../kit/problems.tsx'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'

type Props = { settings: StoreSettings; onDone: () => void }

/** Chooses the roles that need a second factor. Only the owner sees this form. */
export function SecondFactor({ settings, onDone }: Props) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const [roles, setRoles] = useState<readonly Role[]>(settings.second_factor_roles)
  const [isSaved, setSaved] = useState(false)
  const { isBusy, problem, start } = useAction(
    () => request('settings', { method: 'PATCH', body: { second_factor_roles: roles } }),
    () => {
      setSaved(true)
      onDone()
    },
  )
  return (
    <Card label={translate('secondFactor')}>
      <Form onSubmit={start} problem={problem}>
        <h2>{translate('secondFactor')}</h2>
        <p className="soft">{translate('secondFactorNote')}</p>
        <div className="group">
          {ROLES.map((role) => (
            <Checkbox
              key={role}
              label={translate(role)}
              isChecked={roles.includes(role)}
              onChange={(isChecked) => {
                setSaved(false)
                setRoles(
                  ROLES.filter((other) => (other === role ? isChecked : roles.includes(other))),
                )
              }}
            />
          ))}
        </div>
        {problem && <ProblemNote problem={problem} />}
        <SavedNote isSaved={isSaved} />
        <Button type="submit" look="quiet" isBusy={isBusy}>
          {translate('save')}
        </Button>
      </Form>
    </Card>
  )
}
