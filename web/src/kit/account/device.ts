import { deviceOf } from '@florin/shared/device.js'
import { useStaffLanguage } from '../language.tsx'

/** Names the browser and the system of a User-Agent header, to tell devices apart. Null if both are unknown. */
export function useDeviceText(): (userAgent: string) => string | null {
  const { translate } = useStaffLanguage()
  return (userAgent) => {
    const { browser, system } = deviceOf(userAgent)
    return browser !== null && system !== null
      ? translate('deviceOn', { browser, system })
      : (browser ?? system)
  }
}
