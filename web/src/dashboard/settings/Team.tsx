import type { CreatedPerson, ListedPerson, People } from '@florin/contract/people.js'
import type { Role } from '@florin/server/core/person.js'
import { useState } from 'react'
import { ActionButton, ActionMenu, Badge, OneTimeSecrets } from '../../kit/console/actions.tsx'
import { RoleSelect } from '../../kit/console/RoleSelect.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { Table, TwoLines } from '../../kit/console/Table.tsx'
import { Button, Field } from '../../kit/controls.tsx'
import { Notice } from '../../kit/display.tsx'
import { useAction } from '../../kit/form.ts'
import { useResource } from '../../kit/query.ts'
import type { ApiResponse } from '../../kit/request.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'

export function Team() {
  const { translate } = useLanguage()
  const { request } = useSession()
  const resource = useResource<People>('people')
  const [created, setCreated] = useState<CreatedPerson | null>(null)
  const [invitedEmail, setInvitedEmail] = useState<string | null>(null)
  const send: Send = (path, method, body) => request(path, { method, body })
  function onDone(member: CreatedPerson): void {
    if (member.password !== undefined) setCreated(member)
    setInvitedEmail(null)
    resource.reload()
  }
  /** After a person was added or the invitation resent. Without mail, a new person has a password instead. */
  function onInvited(member: CreatedPerson): void {
    onDone(member)
    if (member.invited_at !== null) setInvitedEmail(member.email)
  }
  const { problem, start: enable } = useAction(
    ({ person_id }: ListedPerson) =>
      send(`people/${person_id}`, 'PATCH', { disabled: false }).finally(resource.reload),
    () => {},
  )

  return (
    <>
      <div className="buttons">
        <PersonButton member={null} send={send} onDone={onInvited} />
      </div>
      <div role="status">
        {invitedEmail && (
          <Notice tone="completed">{translate('invitationSent', { email: invitedEmail })}</Notice>
        )}
      </div>
      <Loaded resource={{ ...resource, problem: resource.problem ?? problem }}>
        {({ people }) => (
          <div className="action-table">
            <Table
              label={translate('team')}
              rows={people}
              keyOf={(member) => member.person_id}
              columns={[
                [translate('name'), ({ name, email }) => <TwoLines first={name} second={email} />],
                [translate('role'), ({ role }) => translate(role)],
                [translate('state'), (member) => <SignInBadge member={member} />],
                [
                  translate('change'),
                  (member) => (
                    <div className="row-actions">
                      {member.disabled_at === null ? (
                        <MemberActions
                          member={member}
                          send={send}
                          onDone={onDone}
                          onInvited={onInvited}
                          reload={resource.reload}
                        />
                      ) : (
                        <Button look="quiet" onClick={() => void enable(member)}>
                          {translate('enable')}
                        </Button>
                      )}
                    </div>
                  ),
                  'end',
                ],
              ]}
            />
          </div>
        )}
      </Loaded>
      <OneTimeSecrets
        title={translate('passwordOf', { name: created?.name ?? '' })}
        note={translate('passwordOnce')}
        secrets={
          created && [
            [translate('email'), created.email],
            [translate('password'), created.password!],
          ]
        }
        closeLabel={translate('done')}
        onClose={() => setCreated(null)}
      />
    </>
  )
}

function SignInBadge({ member }: { member: ListedPerson }) {
  const { translate } = useLanguage()
  if (member.disabled_at !== null) return <Badge tone="neutral" text={translate('isDisabled')} />
  if (member.invited_at !== null) return <Badge tone="wait" text={translate('invited')} />
  return <Badge tone="good" text={translate('isActive')} />
}

type Send = (
  path: string,
  method: 'POST' | 'PATCH' | 'DELETE',
  body?: unknown,
) => Promise<ApiResponse<CreatedPerson>>
type ActionProps = { member: ListedPerson; send: Send; onDone: (member: CreatedPerson) => void }

type InvitationProps = { onInvited: (member: CreatedPerson) => void }
type MemberActionsProps = ActionProps & InvitationProps & { reload: () => void }

function MemberActions({ member, send, onDone, onInvited, reload }: MemberActionsProps) {
  const { name } = member
  return (
    <>
      <PersonButton member={member} send={send} onDone={onDone} />
      <ActionMenu subject={name}>
        {(close) => (
          <AccountActions
            member={member}
            send={send}
            onRemoved={() => {
              close()
              reload()
            }}
            onInvited={(invited) => {
              close()
              onInvited(invited)
            }}
            onDone={(changed) => {
              close()
              onDone(changed)
            }}
          />
        )}
      </ActionMenu>
    </>
  )
}

type AccountActionsProps = ActionProps & InvitationProps & { onRemoved: () => void }

function AccountActions({ member, send, onRemoved, onInvited, onDone }: AccountActionsProps) {
  const { translate } = useLanguage()
  const { name } = member
  const path = `people/${member.person_id}`
  return (
    <>
      {member.invited_at !== null && (
        <ActionButton
          label={translate('resendInvitation')}
          subject={name}
          run={() => send(`${path}/invitation`, 'POST')}
          onDone={onInvited}
        >
          <p>{translate('resendInvitationNote', { name })}</p>
        </ActionButton>
      )}
      {/* Only an operator can reset the password or the second factors of an owner. */}
      {member.role !== 'owner' && (
        <ActionButton
          label={translate('newPassword')}
          subject={name}
          title={translate('newPasswordAsk', { name })}
          run={() => send(`${path}/password`, 'POST')}
          onDone={onDone}
        >
          <p>{translate('newPasswordNote')}</p>
        </ActionButton>
      )}
      {member.role !== 'owner' && member.has_second_factor && (
        <ActionButton
          label={translate('removeFactors')}
          subject={name}
          isDanger
          run={() => send(`${path}/factors`, 'DELETE')}
          onDone={onRemoved}
        >
          <p>{translate('removeFactorsNote')}</p>
        </ActionButton>
      )}
      <ActionButton
        label={translate('disable')}
        subject={name}
        title={translate('disableAsk', { name })}
        isDanger
        conflictText={translate('lastOwner')}
        run={() => send(path, 'PATCH', { disabled: true })}
        onDone={onDone}
      >
        <p>{translate('disableNote')}</p>
      </ActionButton>
    </>
  )
}

/** Adds a person, or changes the name and role of `member`. */
function PersonButton({
  member,
  send,
  onDone,
}: Omit<ActionProps, 'member'> & {
  member: ListedPerson | null
}) {
  const { translate, locale } = useLanguage()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('cashier')
  return (
    <ActionButton
      {...(member === null
        ? { label: translate('addPerson'), look: 'primary', confirmLabel: translate('add') }
        : {
            label: translate('change'),
            subject: member.name,
            title: member.name,
            confirmLabel: translate('save'),
          })}
      conflictText={translate('lastOwner')}
      onOpen={() => {
        setName(member?.name ?? '')
        setEmail('')
        setRole(member?.role ?? 'cashier')
      }}
      run={() =>
        member === null
          ? send('people', 'POST', { name: name.trim(), email: email.trim(), role, locale })
          : send(`people/${member.person_id}`, 'PATCH', { name: name.trim(), role })
      }
      onDone={onDone}
    >
      <Field label={translate('name')} name="name" value={name} onChange={setName} isRequired />
      {member === null && (
        <Field
          label={translate('email')}
          name="email"
          value={email}
          onChange={setEmail}
          type="email"
          isRequired
        />
      )}
      <RoleSelect value={role} onChange={setRole} />
    </ActionButton>
  )
}
