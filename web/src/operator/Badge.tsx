import type { IconName } from '@florin/shared/icons.js'
import { Icon } from '../kit/display.tsx'

export type Tone = 'good' | 'bad' | 'warn' | 'wait' | 'quiet'

const LOOKS: Record<Tone, { icon: IconName; tone: string }> = {
  good: { icon: 'completed', tone: 'completed' },
  bad: { icon: 'failed', tone: 'failed' },
  warn: { icon: 'warning', tone: 'expired' },
  wait: { icon: 'pending', tone: 'pending' },
  quiet: { icon: 'close', tone: 'refunded' },
}

/** How something is: shape, word and colour, as the status of a payment. */
export function Badge({ tone, word }: { tone: Tone; word: string }) {
  const look = LOOKS[tone]
  return (
    <span className={`status tone-${look.tone}`}>
      <Icon name={look.icon} />
      {word}
    </span>
  )
}
