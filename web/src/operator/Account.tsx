import { useState } from 'react'
import { ActionButton } from '../kit/console/actions.tsx'
import { AccountMenu } from '../kit/console/Shell.tsx'
import { Field } from '../kit/controls.tsx'
import { useLanguage } from './language.ts'
import { useSession } from './session.ts'

export function Account() {
  const { say } = useLanguage()
  const { account, signOut } = useSession()
  return (
    <AccountMenu
      signOut={signOut}
      facts={[
        [say('name'), account.operator.name],
        [say('email'), <bdi key="email">{account.operator.email}</bdi>],
      ]}
    >
      <ChangePassword />
    </AccountMenu>
  )
}

function ChangePassword() {
  const { say } = useLanguage()
  const { request } = useSession()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  return (
    <ActionButton
      label={say('changePassword')}
      run={() => request('password', { method: 'POST', body: { current, new: next } })}
      onOpen={() => {
        setCurrent('')
        setNext('')
      }}
    >
      <Field
        label={say('currentPassword')}
        value={current}
        onChange={setCurrent}
        type="password"
        autoComplete="current-password"
      />
      <Field
        label={say('newPassword')}
        help={say('passwordRule')}
        value={next}
        onChange={setNext}
        type="password"
        autoComplete="new-password"
      />
      <p className="small soft">{say('otherSessionsEnd')}</p>
    </ActionButton>
  )
}
