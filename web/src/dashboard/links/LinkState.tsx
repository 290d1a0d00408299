import type { Link } from '@florin/contract/links.js'
import { Badge, type Tone } from '../../kit/console/actions.tsx'
import { useLanguage } from '../language.ts'

const TONES: Record<Link['state'], Tone> = {
  active: 'good',
  paused: 'paused',
  used_up: 'neutral',
  expired: 'warn',
}

export function LinkState({ state }: Pick<Link, 'state'>) {
  const { translate } = useLanguage()
  return <Badge tone={TONES[state]} text={translate(`link_${state}`)} />
}
