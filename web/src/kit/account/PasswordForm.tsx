import { useState } from 'react'
import { Button, Field } from '../controls.tsx'
import { Notice } from '../display.tsx'
import { onSubmit, useAction, useFields } from '../form.ts'
import { useStaffLanguage } from '../language.tsx'
import { ProblemNote } from '../problems.tsx'
import { useAccount } from './context.ts'

/** Changes the password. With `isForced`, right after the sign-in, the current one is not asked for. */
export function PasswordForm({ isForced = false }: { isForced?: boolean }) {
  const { say } = useStaffLanguage()
  const { request, refresh } = useAccount()
  const { fields, field, reset } = useFields({ current: '', new: '', again: '' })
  const [isDone, setDone] = useState(false)
  const [needsCurrent, setNeedsCurrent] = useState(!isForced)
  const { isBusy, problem, start } = useAction(
    async () => {
      const current = needsCurrent ? { current: fields.current } : {}
      const answer = await request('password', {
        method: 'POST',
        body: { ...current, new: fields.new },
      })
      // The sign-in was too long ago.
      if (!answer.ok && answer.problem.message === 'current is required') setNeedsCurrent(true)
      return answer
    },
    () => {
      reset()
      setDone(true)
      void refresh()
    },
  )
  const differ = fields.again !== '' && fields.again !== fields.new
  const isIncomplete = fields.new.length < 10 || fields.again !== fields.new
  return (
    <form className="stack" onSubmit={onSubmit(() => !isIncomplete && start())}>
      {needsCurrent && (
        <Field
          label={say('currentPassword')}
          {...field('current')}
          type="password"
          autoComplete="current-password"
        />
      )}
      <Field
        label={say('newPassword')}
        help={say('passwordRule')}
        {...field('new')}
        type="password"
        autoComplete="new-password"
      />
      <Field
        label={say('repeatPassword')}
        {...field('again')}
        problem={differ ? say('passwordsDiffer') : undefined}
        type="password"
        autoComplete="new-password"
      />
      {problem && <ProblemNote problem={problem} />}
      {isDone && (
        <Notice tone="completed" role="status">
          {say('passwordChanged')}
        </Notice>
      )}
      <p className="small soft">{say('otherSessionsEnd')}</p>
      <Button type="submit" isBusy={isBusy} isDisabled={isIncomplete}>
        {isForced ? say('continue') : say('changePassword')}
      </Button>
    </form>
  )
}
