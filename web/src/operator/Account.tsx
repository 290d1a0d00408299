import { useState } from 'react'
import { AccountMenu } from '../kit/console/AccountMenu.tsx'
import { Field } from '../kit/controls.tsx'
import { Act } from './Act.tsx'
import { useLanguage } from './language.ts'
import { useSession } from './session.ts'

export function Account() {
  const { say } = useLanguage()
  const { who, signOut } = useSession()
  return (
    <AccountMenu
      title={say('account')}
      signOut={signOut}
      facts={[
        [say('name'), who.operator.name],
        [say('email'), <bdi key="email">{who.operator.email}</bdi>],
      ]}
    >
      <ChangePassword />
    </AccountMenu>
  )
}

function ChangePassword() {
  const { say } = useLanguage()
  const { ask } = useSession()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  return (
    <Act
      label={say('changePassword')}
      confirm={say('changePassword')}
      run={() => ask('password', { method: 'POST', body: { current, new: next } })}
      onDone={() => {
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
    </Act>
  )
}
