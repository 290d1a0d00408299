import type { CreatedOperator } from '@florin/contract/operators.js'
import type { CreatedPerson, ListedPerson, ResetPerson } from '@florin/contract/people.js'
import { type ComponentType, type ReactNode, useState } from 'react'
import { ActionButton, ActionMenu, Badge } from '../../kit/console/actions.tsx'
import { Button, Field } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Facts, Notice } from '../../kit/display.tsx'
import { useFields } from '../../kit/form.ts'
import { isMailEnabled } from '../../kit/mail.ts'
import { NewPassword, type SignInDetails } from '../forms.tsx'
import { useLanguage } from '../language.ts'
import { useSession } from '../session.ts'

type Account = Pick<
  ListedPerson,
  'name' | 'email' | 'disabled_at' | 'invited_at' | 'has_second_factor'
>

export function SignInBadge({ account }: { account: Account }) {
  const { translate } = useLanguage()
  const isDisabled = account.disabled_at !== null
  if (!isDisabled && account.invited_at !== null)
    return <Badge tone="wait" text={translate('invited')} />
  return (
    <Badge
      tone={isDisabled ? 'neutral' : 'good'}
      text={translate(isDisabled ? 'disabled' : 'canSignIn')}
    />
  )
}

type Props = {
  account: Account
  /** How many accounts can sign in before and after this one is disabled or enabled. */
  counts: ReactNode
  path: string
  onDone: () => void
  /** The text if the account can't be disabled. */
  conflictText?: string
  /** Further actions, before the menu. */
  children?: ReactNode
}

/** The children, and a menu with the actions that all accounts have, such as resetting the password. */
export function AccountActions({ account, counts, path, onDone, conflictText, children }: Props) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const [signInDetails, setSignInDetails] = useState<SignInDetails | null>(null)
  const { name, email } = account
  const isDisabled = account.disabled_at !== null
  return (
    <div className="row-actions">
      {children}
      <ActionMenu subject={name}>
        {(close) => {
          const finish = () => {
            close()
            onDone()
          }
          return (
            <>
              {account.invited_at !== null && !isDisabled && (
                <ActionButton
                  label={translate('resendInvitation')}
                  subject={name}
                  run={() => request(`${path}/invitation`, { method: 'POST' })}
                  onDone={finish}
                >
                  <p>{translate('resendInvitationNote', { name })}</p>
                </ActionButton>
              )}
              <ActionButton<ResetPerson>
                label={translate('resetPassword')}
                subject={name}
                look="quiet"
                isDanger
                run={() => request(`${path}/password`, { method: 'POST' })}
                onDone={({ password }) => {
                  close()
                  setSignInDetails({ name, email, password })
                }}
              >
                <p>{translate('resetNote')}</p>
              </ActionButton>
              {account.has_second_factor && (
                <ActionButton
                  label={translate('removeFactors')}
                  subject={name}
                  isDanger
                  run={() => request(`${path}/factors`, { method: 'DELETE' })}
                  onDone={finish}
                >
                  <p>{translate('removeFactorsNote')}</p>
                </ActionButton>
              )}
              <ActionButton
                label={isDisabled ? translate('enable') : translate('disable')}
                subject={name}
                isDanger={!isDisabled}
                onDone={finish}
                {...(conflictText !== undefined && { conflictText })}
                run={() => request(path, { method: 'PATCH', body: { disabled: !isDisabled } })}
              >
                <p>{isDisabled ? translate('enableNote') : translate('disableNote')}</p>
                {counts}
              </ActionButton>
            </>
          )
        }}
      </ActionMenu>
      <NewPassword account={signInDetails} onClose={() => setSignInDetails(null)} />
    </div>
  )
}

type CountsProps = { account: Account; all: readonly Account[] }

/** How many of all accounts can sign in before and after this one is disabled or enabled. */
export function SignInCounts({ account, all }: CountsProps) {
  const { translate } = useLanguage()
  const activeCount = all.filter(
    (other) => other.disabled_at === null && other.invited_at === null,
  ).length
  // An invited account can't sign in, so disabling or enabling it doesn't change the count.
  const change = account.invited_at !== null ? 0 : account.disabled_at !== null ? 1 : -1
  return (
    <Facts
      facts={[
        [translate('canSignInNow'), String(activeCount)],
        [translate('canSignInAfter'), String(activeCount + change)],
      ]}
    />
  )
}

type AddAccountProps<Role> = {
  label: string
  look?: 'primary' | 'quiet'
  path: string
  firstRole: Role
  RoleField: ComponentType<{ value: Role; onChange: (role: Role) => void }>
  onDone: () => void
}

/** Adds an account. Shows its generated password once, or says that an invitation was emailed. */
export function AddAccount<Role>(props: AddAccountProps<Role>) {
  const { label, look = 'quiet', path, firstRole, RoleField, onDone } = props
  const { translate, locale } = useLanguage()
  const { request } = useSession()
  const { field, trimFields, reset } = useFields({ name: '', email: '' })
  const [role, setRole] = useState(firstRole)
  const [added, setAdded] = useState<SignInDetails | null>(null)
  const [invitedEmail, setInvitedEmail] = useState<string | null>(null)
  return (
    <>
      <ActionButton<CreatedOperator | CreatedPerson>
        label={label}
        look={look}
        onOpen={() => {
          reset()
          setRole(firstRole)
        }}
        run={() => request(path, { method: 'POST', body: { ...trimFields(), role, locale } })}
        onDone={(created) => {
          const { name, email, password } = created
          setAdded(password === undefined ? null : { name, email, password })
          setInvitedEmail(created.invited_at === null ? null : created.email)
          onDone()
        }}
      >
        <Field label={translate('name')} {...field('name')} isRequired />
        <Field label={translate('email')} {...field('email')} type="email" isRequired />
        <RoleField value={role} onChange={setRole} />
        <p className="small soft">
          {translate(isMailEnabled ? 'passwordLinkMailed' : 'passwordGenerated')}
        </p>
      </ActionButton>
      <NewPassword account={added} onClose={() => setAdded(null)} />
      <Dialog
        title={translate('invited')}
        isOpen={invitedEmail !== null}
        onClose={() => setInvitedEmail(null)}
      >
        <Notice tone="completed">
          {translate('invitationSent', { email: invitedEmail ?? '' })}
        </Notice>
        <Button isWide onClick={() => setInvitedEmail(null)}>
          {translate('close')}
        </Button>
      </Dialog>
    </>
  )
}
