import { PageFrame } from '../../console/PageFrame.tsx'
import { Loaded } from '../../console/states.tsx'
import { Money } from '../../design/Money.tsx'
import type { Today } from '../../people/payment.ts'
import { useSession } from '../../people/session.tsx'
import { useAsked } from '../../people/useAsked.ts'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'

const REFRESH_MS = 10_000

export function OverviewPage() {
  const { say, locale } = useLanguage()
  const { who } = useSession()
  const { mode } = useDashboardPlace()
  const asked = useAsked<Today>(`${mode}/today`, REFRESH_MS)
  return (
    <PageFrame title={say('overview')}>
      <Loaded asked={asked}>
        {(today) => (
          <Money
            amount={today.sales.amount}
            currency={who.store.currency}
            locale={locale}
            isLarge
          />
        )}
      </Loaded>
    </PageFrame>
  )
}
