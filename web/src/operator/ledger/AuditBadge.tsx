import { Badge, type Tone } from '../Badge.tsx'
import { useLanguage } from '../language.ts'
import type { LedgerAudit } from '../types.ts'

const TONES: Record<LedgerAudit['state'], Tone> = {
  running: 'wait',
  sound: 'good',
  unsound: 'bad',
  interrupted: 'warn',
}

export function AuditBadge({ state }: { state: LedgerAudit['state'] }) {
  const { say } = useLanguage()
  return <Badge tone={TONES[state]} word={say(state)} />
}
