import { parseDeliveryError } from '@florin/server/core/deliveryErrors.js'
import { useConsoleLanguage } from '../language.tsx'

/** Translates why a webhook was not delivered. A text that is not known stays as it is. */
export function useDeliveryError(): (text: string) => string {
  const { translate } = useConsoleLanguage()
  return (text) => {
    const parsed = parseDeliveryError(text)
    return parsed === null
      ? text
      : translate(`deliveryError_${parsed.error}`, { value: parsed.value })
  }
}
