import { ToggleButton } from 'react-aria-components/ToggleButton'
import { Icon } from '../kit/display.tsx'
import { useLanguage } from './language.ts'

type Props = { store: string; isFavourite: boolean; onToggle: () => void }

/** A star. It is filled if the shop is a favourite. */
export function FavouriteToggle({ store, isFavourite, onToggle }: Props) {
  const { translate } = useLanguage()
  return (
    <ToggleButton
      className="star"
      isSelected={isFavourite}
      onChange={onToggle}
      aria-label={`${translate('favourite')}: ${store}`}
    >
      <Icon name="star" />
    </ToggleButton>
  )
}
