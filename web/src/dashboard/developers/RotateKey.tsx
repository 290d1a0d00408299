import { useState } from 'react'
import { Choice } from '../../kit/controls.tsx'
import { AskFirst } from '../AskFirst.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import { useSure } from '../useSure.tsx'
import { type Issued, type Key, nameOf } from './keys.ts'

const OVERLAPS = ['0', '3600', '86400', '604800'] as const

type Props = { apiKey: Key; done: (issued: Issued) => void; close: () => void }

export function RotateKey({ apiKey, done, close }: Props) {
  const { say } = useLanguage()
  const { mode } = useDashboardPlace()
  const { askSure, passwordDialog } = useSure()
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>('86400')
  return (
    <>
      <AskFirst
        title={say('newSecretAsk', { label: nameOf(apiKey) })}
        note={say('newSecretNote')}
        action={say('newSecret')}
        close={close}
        act={async () => {
          const path = `${mode}/keys/${apiKey.api_key}/rotate`
          const body = { overlap_seconds: Number(overlap) }
          const answer = await askSure<Issued>(path, { method: 'POST', body })
          if (!answer.ok) return answer.problem
          done(answer.data)
          return null
        }}
      >
        <Choice
          label={say('overlap')}
          value={overlap}
          onChange={setOverlap}
          options={OVERLAPS.map((one) => [one, say(`overlap_${one}`)] as const)}
        />
      </AskFirst>
      {passwordDialog}
    </>
  )
}
