import { Button } from '../controls.tsx'
import { Icon } from '../display.tsx'
import { useStaffLanguage } from '../language.tsx'
import { useCopy } from '../useCopy.ts'

type Props = { title: string; url: string; isWide?: boolean }

/** Opens the share menu of the device. Copies the link on a device without one. */
export function ShareButton({ title, url, isWide = false }: Props) {
  const { translate } = useStaffLanguage()
  const { copy, isCopied, outcome } = useCopy()
  async function share(): Promise<void> {
    if (navigator.share === undefined) return copy(url)
    try {
      await navigator.share({ title, url })
    } catch {
      // Also rejects if the user closes the menu.
    }
  }
  return (
    <Button look="quiet" isWide={isWide} onClick={() => void share()}>
      <Icon name={isCopied ? 'completed' : 'share'} />
      <span aria-live="polite">{outcome ?? translate('share')}</span>
    </Button>
  )
}
