import { Copy } from '../../kit/console/Copy.tsx'
import { Empty } from '../../kit/console/states.tsx'
import { useSession } from '../../kit/store/session.tsx'
import { curlToCreate } from '../curl.ts'
import { useLanguage } from '../language.ts'

/** Before there is any: how to get the first one. */
export function FirstPayment() {
  const { say } = useLanguage()
  const { who } = useSession()
  const curl = curlToCreate(who.store.currency)
  return (
    <Empty title={say('noPayments')}>
      <p className="soft">{say('noPaymentsNote')}</p>
      <pre className="code" dir="ltr">
        <code>{curl}</code>
      </pre>
      <Copy text={curl} />
    </Empty>
  )
}
