import type { Link } from '@florin/contract/links.js'
import { type CurrencyCode, decimalsOf } from '@florin/server/core/currencies.js'
import type { Locale } from '@florin/shared/locales.js'
import { moneyText } from '@florin/shared/money.js'
import { createTranslate, type Translate } from '@florin/shared/translate.js'
import { type DashboardWords, loadDashboardWords } from '@florin/shared/words/dashboard/load.js'
import { useEffect, useState } from 'react'
import { useSession } from '../../kit/store/session.tsx'

type StandWords = {
  readonly locale: Locale
  readonly translate: Translate<DashboardWords>
  /** Null if the customer chooses. */
  readonly amount: string | null
}

/** The words for customers, in the language of the link, of the store, or in English. Null while they load. */
export function useStandWords({ locale: linkLocale, amount, currency }: Link): StandWords | null {
  const { account } = useSession()
  const locale = linkLocale ?? account.store.locale ?? 'en'
  const [loaded, setLoaded] = useState<Pick<StandWords, 'locale' | 'translate'> | null>(null)
  useEffect(() => {
    let isCurrent = true
    void loadDashboardWords[locale]().then(({ words }) => {
      if (isCurrent)
        setLoaded({ locale, translate: createTranslate<DashboardWords>(locale, words) })
    })
    return () => {
      isCurrent = false
    }
  }, [locale])
  if (loaded === null) return null
  const decimals = decimalsOf(currency as CurrencyCode)
  return {
    ...loaded,
    amount:
      amount === null ? null : moneyText(amount, { currency, decimals, locale: loaded.locale }),
  }
}
