import { AccountMenu } from '../kit/console/AccountMenu.tsx'
import { basePath } from '../kit/mount.tsx'
import { useSession } from '../kit/store/session.tsx'
import { useLanguage } from './language.ts'

export function Account() {
  const { say } = useLanguage()
  const { who, signOut } = useSession()
  const { person, store } = who
  return (
    <AccountMenu
      title={say('account')}
      signOut={signOut}
      facts={[
        [say('name'), person.name],
        [say('email'), <bdi key="email">{person.email}</bdi>],
        [say('role'), say(person.role)],
        [say('store'), store.name],
      ]}
    >
      {who.may.includes('create') && (
        <a className="button button-quiet button-wide" href={`${basePath}/till`}>
          {say('openTill')}
        </a>
      )}
    </AccountMenu>
  )
}
