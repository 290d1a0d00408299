import { Notice } from '../display.tsx'
import { useStaffLanguage } from '../language.tsx'
import { useSecondsLeft } from './paymentStatus.ts'

/** Says that the status of a pending payment is unknown, and whether its code can still be paid. */
export function OfflineNote({ endsMs }: { endsMs: number }) {
  const { translate } = useStaffLanguage()
  const isOver = useSecondsLeft(endsMs) === 0
  return (
    <Notice tone="expired" role="status">
      {translate(isOver ? 'offlineExpired' : 'offlineSale')}
    </Notice>
  )
}
