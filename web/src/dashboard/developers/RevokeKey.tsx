import { AskFirst } from '../AskFirst.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import { useSure } from '../useSure.tsx'
import { type Key, nameOf } from './keys.ts'

type Props = { apiKey: Key; done: () => void; close: () => void }

export function RevokeKey({ apiKey, done, close }: Props) {
  const { say } = useLanguage()
  const { mode } = useDashboardPlace()
  const { askSure, passwordDialog } = useSure()
  return (
    <>
      <AskFirst
        title={say('revokeAsk', { label: nameOf(apiKey) })}
        note={say('revokeNote')}
        action={say('revoke')}
        isDanger
        close={close}
        act={async () => {
          const answer = await askSure(`${mode}/keys/${apiKey.api_key}`, { method: 'DELETE' })
          if (!answer.ok) return answer.problem
          done()
          return null
        }}
      />
      {passwordDialog}
    </>
  )
}
