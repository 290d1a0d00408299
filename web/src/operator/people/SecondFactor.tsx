import type { SecuritySettings } from '@florin/contract/operators.js'
import { useState } from 'react'
import { ConfirmDialog } from '../../kit/console/actions.tsx'
import { SavedNote } from '../../kit/console/states.tsx'
import { Checkbox } from '../../kit/controls.tsx'
import { useAction } from '../../kit/form.ts'
import { ProblemNote } from '../../kit/problems.tsx'
import { useResource } from '../../kit/query.ts'
import { useLanguage } from '../language.ts'
import { useCan, useSession } from '../session.ts'

/** Whether operators need a second factor. */
export function SecondFactor() {
  const { translate } = useLanguage()
  const { request } = useSession()
  const isAdmin = useCan('admin')
  const resource = useResource<SecuritySettings>('security-settings')
  const [isAsking, setAsking] = useState(false)
  const save = (isRequired: boolean) =>
    request<SecuritySettings>('security-settings', {
      method: 'PUT',
      body: { operator_second_factor: isRequired },
    })
  const [isSaved, setSaved] = useState(false)
  const onSaved = () => {
    setSaved(true)
    resource.reload()
  }
  const { isBusy, problem, start } = useAction(() => save(false), onSaved)
  if (resource.data === null) return null
  return (
    <div className="stack">
      {problem && <ProblemNote problem={problem} />}
      <Checkbox
        label={translate('operatorSecondFactor')}
        isChecked={resource.data.operator_second_factor}
        isDisabled={isBusy || !isAdmin}
        onChange={(isChecked) => {
          setSaved(false)
          if (isChecked) setAsking(true)
          else void start()
        }}
      />
      <SavedNote isSaved={isSaved} />
      {isAsking && (
        <ConfirmDialog
          title={translate('requireSecondFactor')}
          confirmLabel={translate('requireSecondFactor')}
          run={() => save(true)}
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false)
            onSaved()
          }}
        >
          <p>{translate('requireSecondFactorNote')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
