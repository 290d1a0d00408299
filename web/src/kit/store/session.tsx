import type { SignedInPerson } from '@florin/contract/people.js'
import type { Mode } from '@florin/server/core/ids.js'
import { Segments } from '../console/Segments.tsx'
import { useStaffLanguage } from '../language.tsx'
import { createSession } from '../session.tsx'
import { MODES, modeWord } from './payment.ts'

/** The session of a person of the store, at the till and in the dashboard. */
export const { SessionProvider, useSession } = createSession<SignedInPerson>(
  'store',
  ({ person }) => person.person_id,
)

type Props = { mode: Mode; setMode: (mode: Mode) => void }

export function ModeSwitch({ mode, setMode }: Props) {
  const { translate } = useStaffLanguage()
  return (
    <Segments
      label={translate('mode')}
      options={MODES.map((option) => [option, translate(modeWord(option))] as const)}
      value={mode}
      onChange={setMode}
    />
  )
}
