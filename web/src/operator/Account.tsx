import { ActionButton } from '../kit/console/actions.tsx'
import { AccountMenu } from '../kit/console/Shell.tsx'
import { Field } from '../kit/controls.tsx'
import { useFields } from '../kit/form.ts'
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
        [say('role'), say(`operatorRole_${account.operator.role}`)],
      ]}
    >
      <ChangePassword />
    </AccountMenu>
  )
}

function ChangePassword() {
  const { say } = useLanguage()
  const { request } = useSession()
  const { fields, field, reset } = useFields({ current: '', new: '' })
  return (
    <ActionButton
      label={say('changePassword')}
      run={() => request('password', { method: 'POST', body: fields })}
      onOpen={reset}
    >
      <Field
        label={say('currentPassword')}
        {...field('current')}
        type="password"
        autoComplete="current-password"
      />
      <Field
        label={say('newPassword')}
        help={say('passwordRule')}
        {...field('new')}
        type="password"
        autoComplete="new-password"
      />
      <p className="small soft">{say('otherSessionsEnd')}</p>
    </ActionButton>
  )
}
