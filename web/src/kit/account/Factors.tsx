import type { Account, AddedPasskey, Passkey } from '@florin/contract/account.js'
import { useState } from 'react'
import { Button, Field } from '../controls.tsx'
import { Dialog } from '../Dialog.tsx'
import { Card, useTimeText } from '../display.tsx'
import { Form } from '../Form.tsx'
import { useAction } from '../form.ts'
import { useStaffLanguage } from '../language.tsx'
import { ProblemNote } from '../problems.tsx'
import { useReloadAll, useResource } from '../query.ts'
import type { Problem } from '../request.ts'
import { useAccount } from './context.ts'
import { createPasskey, hasPasskeySupport, NO_PASSKEY } from './passkey.ts'
import { RecoveryCodesDialog } from './RecoveryCodes.tsx'
import { RemoveDialog } from './RemoveDialog.tsx'
import { SetUpTotp } from './SetUpTotp.tsx'

type FactorsProps = { isForced?: boolean; timeZone?: string | undefined }

/** Passkeys, authenticator app and recovery codes. With `isForced`, before the app opens, new recovery codes are not offered. */
export function Factors({ isForced = false, timeZone }: FactorsProps) {
  const { translate } = useStaffLanguage()
  const { request, refresh } = useAccount()
  const resource = useResource<Account>('account')
  const reloadAll = useReloadAll()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const account = resource.data

  function onChanged(newCodes: readonly string[] | null = null): void {
    reloadAll()
    setCodes(newCodes)
    // Wait until the codes are saved: reloading the session replaces this page.
    if (newCodes === null) void refresh()
  }
  const renew = useAction(
    () =>
      request<{ recovery_codes: readonly string[] }>('account/recovery-codes', { method: 'POST' }),
    (data) => onChanged(data.recovery_codes),
  )

  if (account === null) return resource.problem && <ProblemNote problem={resource.problem} />
  const hasFactor = account.passkeys.length > 0 || account.totp_active
  return (
    <>
      <Card label={translate('passkeys')}>
        <Passkeys passkeys={account.passkeys} timeZone={timeZone} onChanged={onChanged} />
      </Card>
      <Card label={translate('authenticatorApp')}>
        <SetUpTotp isActive={account.totp_active} onChanged={onChanged} />
      </Card>
      {hasFactor && !isForced && (
        <Card label={translate('recoveryCodes')}>
          <div className="stack">
            <h2>{translate('recoveryCodes')}</h2>
            <p className="soft">{translate('recoveryNote')}</p>
            <p>{translate('recoveryLeft', { count: account.recovery_codes_left })}</p>
            {renew.problem && <ProblemNote problem={renew.problem} />}
            <p className="small soft">{translate('newCodesNote')}</p>
            <Button look="quiet" isBusy={renew.isBusy} onClick={() => void renew.start()}>
              {translate('newCodes')}
            </Button>
          </div>
        </Card>
      )}
      <RecoveryCodesDialog codes={codes} onClose={() => onChanged()} />
    </>
  )
}

type PasskeysProps = {
  passkeys: readonly Passkey[]
  timeZone: string | undefined
  onChanged: (codes?: readonly string[] | null) => void
}

function Passkeys({ passkeys, timeZone, onChanged }: PasskeysProps) {
  const { translate } = useStaffLanguage()
  const timeText = useTimeText(timeZone)
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Passkey | null>(null)
  return (
    <div className="stack">
      <h2>{translate('passkeys')}</h2>
      <p className="soft">{translate('passkeysNote')}</p>
      <ul className="plain-list" hidden={passkeys.length === 0}>
        {passkeys.map((passkey) => (
          <li key={passkey.passkey_id} className="session">
            <div>
              <bdi>{passkey.name}</bdi>
              <p className="small soft">
                {passkey.last_used_at === null
                  ? translate('addedOn', { time: timeText(passkey.created_at) })
                  : translate('usedAt', { time: timeText(passkey.last_used_at) })}
              </p>
            </div>
            <Button
              look="quiet"
              aria-label={`${translate('remove')}: ${passkey.name}`}
              onClick={() => setRemoving(passkey)}
            >
              {translate('remove')}
            </Button>
          </li>
        ))}
      </ul>
      {hasPasskeySupport && (
        <Button look="quiet" onClick={() => setAdding(true)}>
          {translate('addPasskey')}
        </Button>
      )}
      {isAdding && (
        <AddPasskey
          onDone={(codes) => {
            setAdding(false)
            onChanged(codes)
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {removing && (
        <RemoveDialog
          subject={removing.name}
          note={translate('removePasskeyNote')}
          path={`account/passkeys/${removing.passkey_id}`}
          onDone={() => {
            setRemoving(null)
            onChanged()
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </div>
  )
}

type AddPasskeyProps = {
  onDone: (codes: readonly string[] | null) => void
  onClose: () => void
}

function AddPasskey({ onDone, onClose }: AddPasskeyProps) {
  const { translate } = useStaffLanguage()
  const { request } = useAccount()
  const [name, setName] = useState('')
  const { isBusy, problem, start } = useAction(
    () => createPasskey<AddedPasskey>(request, name),
    ({ recovery_codes: codes }) => onDone(codes),
  )
  return (
    <Dialog title={translate('addPasskey')} isOpen isBusy={isBusy} onClose={onClose}>
      <Form onSubmit={start} problem={problem}>
        <Field
          label={translate('passkeyName')}
          help={translate('passkeyNameHelp')}
          name="name"
          value={name}
          onChange={setName}
          maxLength={100}
          autoFocus
          isRequired
        />
        {problem && <PasskeyProblem problem={problem} />}
        <Button type="submit" isWide isBusy={isBusy}>
          {translate('continue')}
        </Button>
        <Button look="quiet" isWide isDisabled={isBusy} onClick={onClose}>
          {translate('cancel')}
        </Button>
      </Form>
    </Dialog>
  )
}

function PasskeyProblem({ problem }: { problem: Problem }) {
  const { translate } = useStaffLanguage()
  const isNotAdded = problem.status === NO_PASSKEY || problem.fields.includes('passkey')
  if (!isNotAdded) return <ProblemNote problem={problem} />
  return (
    <p className="field-problem" role="alert">
      {translate('passkeyNotAdded')}
    </p>
  )
}
