import type { Scope } from '@florin/server/core/credentials.js'
import { type FormEvent, useState } from 'react'
import { Button, Check, Field } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { ProblemNote } from '../../kit/problems.tsx'
import type { Problem } from '../../kit/request.ts'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import { useSure } from '../useSure.tsx'
import type { Issued } from './keys.ts'

// Types cross over from the server; its code for secrets stays there.
const SCOPES: readonly Scope[] = ['read', 'create', 'refund']

type Props = { done: (issued: Issued) => void; close: () => void }

export function NewKey({ done, close }: Props) {
  const { say } = useLanguage()
  const { mode } = useDashboardPlace()
  const { askSure, passwordDialog } = useSure()
  const [label, setLabel] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>(SCOPES)
  const [until, setUntil] = useState('')
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function create(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const body = { label, scopes, expires_at: until === '' ? null : `${until} 23:59:59` }
    const answer = await askSure<Issued>(`${mode}/keys`, { method: 'POST', body })
    setBusy(false)
    if (!answer.ok) return setProblem(answer.problem)
    done(answer.data)
    close()
  }

  return (
    <>
      <Dialog title={say('newKey')} isOpen onClose={close}>
        <form className="stack" onSubmit={(event) => void create(event)}>
          <Field
            label={say('keyLabel')}
            help={say('keyLabelHelp')}
            value={label}
            onChange={setLabel}
            maxLength={255}
          />
          <fieldset className="group">
            <legend>{say('keyMay')}</legend>
            {SCOPES.map((scope) => (
              <Check
                key={scope}
                label={say(`scope_${scope}`)}
                isChecked={scopes.includes(scope)}
                onChange={(isChecked) =>
                  setScopes(
                    SCOPES.filter((one) => (one === scope ? isChecked : scopes.includes(one))),
                  )
                }
              />
            ))}
          </fieldset>
          <Field
            label={say('keyUntil')}
            help={say('keyUntilHelp')}
            type="date"
            value={until}
            onChange={setUntil}
          />
          {problem && <ProblemNote problem={problem} />}
          <Button type="submit" isWide isBusy={isBusy} isDisabled={scopes.length === 0}>
            {say('createKey')}
          </Button>
          <Button look="quiet" isWide onClick={close}>
            {say('cancel')}
          </Button>
        </form>
      </Dialog>
      {passwordDialog}
    </>
  )
}
