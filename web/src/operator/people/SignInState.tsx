import { Facts } from '../../kit/Facts.tsx'
import { Act } from '../Act.tsx'
import { Badge } from '../Badge.tsx'
import { useLanguage } from '../language.ts'
import { useSession } from '../session.ts'

type Account = {
  readonly name: string
  readonly email: string
  readonly disabled_at: string | null
}

export function NameCell({ name, email }: Account) {
  return (
    <div>
      <bdi>{name}</bdi>
      <div className="small soft">
        <bdi>{email}</bdi>
      </div>
    </div>
  )
}

export function SignInBadge({ disabled_at: at }: Account) {
  const { say } = useLanguage()
  return <Badge tone={at ? 'quiet' : 'good'} word={say(at ? 'disabled' : 'canSignIn')} />
}

type Props = {
  account: Account
  /** Those among whom it is counted who can still sign in. */
  all: readonly Account[]
  path: string
  onDone: () => void
}

/** Lets somebody in no longer, or again. */
export function DisableAct({ account, all, path, onDone }: Props) {
  const { say } = useLanguage()
  const { ask } = useSession()
  const isDisabled = account.disabled_at !== null
  const enabled = all.filter((one) => one.disabled_at === null).length
  const word = isDisabled ? say('enable') : say('disable')
  return (
    <Act
      label={word}
      confirm={word}
      isDanger={!isDisabled}
      onDone={onDone}
      run={() => ask(path, { method: 'PATCH', body: { disabled: !isDisabled } })}
    >
      <p>{isDisabled ? say('enableNote') : say('disableNote')}</p>
      <Facts
        facts={[
          [say('name'), account.name],
          [say('canSignInNow'), String(enabled)],
          [say('canSignInAfter'), String(enabled + (isDisabled ? 1 : -1))],
        ]}
      />
    </Act>
  )
}
