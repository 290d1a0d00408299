import { COIN } from '@florin/shared/icons.js'

/** The mark of the product; gold stands here and nowhere else. */
export function Brand({ name }: { name: string }) {
  return (
    <span className="brand">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <circle className="brand-coin" cx="12" cy="12" r="11" />
        <path className="brand-letter" d={COIN} />
      </svg>
      {name}
    </span>
  )
}
