import { ICONS, type IconName } from '@florin/shared/icons.js'

/** Only ever beside words, so it says nothing itself. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  )
}
