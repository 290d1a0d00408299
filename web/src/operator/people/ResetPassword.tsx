import { useState } from 'react'
import { Facts } from '../../kit/Facts.tsx'
import { Act } from '../Act.tsx'
import { useLanguage } from '../language.ts'
import { ShownOnce } from '../Shown.tsx'
import { useSession } from '../session.ts'

/** For who has forgotten it: a new one is made up and shown once. */
export function ResetPassword({ name, path }: { name: string; path: string }) {
  const { say } = useLanguage()
  const { ask } = useSession()
  const [password, setPassword] = useState<string | null>(null)
  return (
    <>
      <Act<{ password: string }>
        label={say('resetPassword')}
        confirm={say('resetPassword')}
        isDanger={true}
        run={() => ask(path, { method: 'POST' })}
        onDone={(done) => setPassword(done.password)}
      >
        <p>{say('resetNote')}</p>
        <Facts facts={[[say('name'), name]]} />
      </Act>
      <ShownOnce
        title={say('newPassword')}
        secrets={password === null ? null : [[say('password'), password]]}
        onClose={() => setPassword(null)}
      />
    </>
  )
}
