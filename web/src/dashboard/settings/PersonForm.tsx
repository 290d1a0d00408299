import type { Role } from '@florin/server/core/person.js'
import { type FormEvent, useState } from 'react'
import { Button, Choice, Field } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import type { Problem } from '../../kit/request.ts'
import { useLanguage } from '../language.ts'
import { Refused } from '../Refused.tsx'
import type { Member } from '../types.ts'

const ROLES: readonly Role[] = ['owner', 'manager', 'cashier', 'viewer']

type Props = {
  /** Null for somebody new. */
  member: Member | null
  save: (body: Record<string, unknown>) => Promise<Problem | null>
  close: () => void
}

export function PersonForm({ member, save, close }: Props) {
  const { say } = useLanguage()
  const [name, setName] = useState(member?.name ?? '')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>(member?.role ?? 'cashier')
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const found = await save({ name, role, ...(member === null && { email }) })
    setBusy(false)
    setProblem(found)
    if (found === null) close()
  }

  return (
    <Dialog title={member === null ? say('addPerson') : member.name} isOpen onClose={close}>
      <form className="stack" onSubmit={(event) => void send(event)}>
        <Field label={say('name')} value={name} onChange={setName} isRequired={true} />
        {member === null && (
          <Field
            label={say('email')}
            value={email}
            onChange={setEmail}
            type="email"
            isRequired={true}
          />
        )}
        <Choice
          label={say('role')}
          value={role}
          onChange={setRole}
          options={ROLES.map((one) => [one, say(one)] as const)}
        />
        {problem && <Refused problem={problem} conflict={say('lastOwner')} />}
        <Button type="submit" isWide isBusy={isBusy}>
          {say(member === null ? 'add' : 'save')}
        </Button>
        <Button look="quiet" isWide onClick={close}>
          {say('cancel')}
        </Button>
      </form>
    </Dialog>
  )
}
