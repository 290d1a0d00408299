import { AccountMenu } from '../kit/console/Shell.tsx'
import { useLanguage } from './language.ts'
import { useSession } from './session.ts'

export function Account({ href }: { href: string }) {
  const { translate } = useLanguage()
  const { account, signOut } = useSession()
  return (
    <AccountMenu
      signOut={signOut}
      facts={[
        [translate('name'), account.operator.name],
        [translate('email'), <bdi key="email">{account.operator.email}</bdi>],
        [translate('role'), translate(`operatorRole_${account.operator.role}`)],
      ]}
      links={[{ href, label: translate('accountSecurity') }]}
    />
  )
}
