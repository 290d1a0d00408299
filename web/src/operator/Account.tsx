import { AccountMenu } from '../kit/console/Shell.tsx'
import { useLanguage } from './language.ts'
import { useSession } from './session.ts'

export function Account({ href }: { href: string }) {
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
      links={[{ href, label: say('accountSecurity') }]}
    />
  )
}
