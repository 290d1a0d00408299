import type { LinkPreview } from '@florin/contract/walletLinks.js'
import { useLanguage } from './language.ts'

type Props = {
  preview: LinkPreview
  isBusy?: boolean
  onChangeAmount?: (() => void) | undefined
}

/** What the store sells with the link. */
export function LinkTitle({ preview, isBusy, onChangeAmount }: Props) {
  const { translate } = useLanguage()
  return (
    <div className="link-title">
      {onChangeAmount && (
        <button type="button" className="more" disabled={isBusy} onClick={onChangeAmount}>
          {translate('changeAmount')}
        </button>
      )}
      <p className="strong">
        <bdi>{preview.title}</bdi>
      </p>
      {preview.description !== null && (
        <p className="soft small link-description">
          <bdi>{preview.description}</bdi>
        </p>
      )}
    </div>
  )
}
