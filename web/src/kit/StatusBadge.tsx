import { Icon } from './Icon.tsx'

export type Status = 'pending' | 'completed' | 'failed' | 'expired' | 'refunded'

/** Shape, word and colour: never colour alone. */
export function StatusBadge({ status, word }: { status: Status; word: string }) {
  return (
    <span className={`status tone-${status}`}>
      <Icon name={status} />
      {word}
    </span>
  )
}
