import type { ReactNode } from 'react'
import { Button } from '../controls.tsx'
import { ProblemNote } from '../problems.tsx'
import type { Problem } from '../request.ts'
import type { Asked } from '../resource.ts'
import { useLanguage } from './language.ts'

/** Lines where text will stand, so that nothing jumps when it comes. */
export function Loading({ lines = 6 }: { lines?: number | undefined }) {
  const { say } = useLanguage()
  return (
    <div className="loading" role="status">
      <span className="unseen">{say('loading')}</span>
      {Array.from({ length: lines }, (_, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing else to be told apart by.
        <span key={n} className="loading-line" />
      ))}
    </div>
  )
}

export function Failed({ problem, again }: { problem: Problem; again: () => void }) {
  const { say } = useLanguage()
  return (
    <div className="stack">
      <ProblemNote problem={problem} />
      <div>
        <Button look="quiet" onClick={again}>
          {say('tryAgain')}
        </Button>
      </div>
    </div>
  )
}

/** What there will be, and how to get the first of it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

type LoadedProps<Data> = {
  asked: Asked<Data>
  lines?: number
  children: (data: Data) => ReactNode
}

/** What was asked for, once it is there; what is no longer fresh stays, with the reason above it. */
export function Loaded<Data>({ asked, lines, children }: LoadedProps<Data>) {
  const { data, problem, again } = asked
  if (data === null) {
    return problem === null ? <Loading lines={lines} /> : <Failed problem={problem} again={again} />
  }
  return (
    <>
      {problem && <Failed problem={problem} again={again} />}
      {children(data)}
    </>
  )
}
