import { parseDeliveryError } from '@florin/server/core/deliveryErrors.js'
import { useConsoleLanguage } from '../language.tsx'

/** Translates why a webhook was not delivered. A text that is not known stays as it is. */
export function useDeliveryError(): (text: string) => string {
  const { translate } = useConsoleLanguage()
  return (text) => {
    const known = parseDeliveryError(text)
    return known === null ? text : translate(`deliveryError_${known.error}`, { value: known.value })
  }
}
