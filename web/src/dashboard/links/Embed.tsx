import type { Link } from '@florin/contract/links.js'
import { escapeHtml } from '@florin/server/core/text.js'
import { CopyButton } from '../../kit/console/actions.tsx'
import { Card } from '../../kit/display.tsx'
import { useLanguage } from '../language.ts'
import { useStandWords } from './standWords.ts'

const BUTTON_STYLE =
  'display:inline-block;padding:14px 24px;border-radius:10px;background:#16181d;color:#fff;font:600 16px system-ui,sans-serif;text-decoration:none'

/** HTML for other websites: plain elements, without a script. */
export function Embed({ link }: { link: Link }) {
  const { translate } = useLanguage()
  const words = useStandWords(link)
  if (words === null) return null
  const buttonText =
    words.amount === null
      ? words.translate('payNow')
      : words.translate('payAmount', { amount: words.amount })
  const parts = [
    {
      name: translate('embedButton'),
      html: `<a href="${escapeHtml(link.url)}" style="${BUTTON_STYLE}">${escapeHtml(buttonText)}</a>`,
    },
    {
      name: translate('embedQr'),
      html: `<img src="${escapeHtml(link.url)}/qr.svg" width="200" height="200" alt="${escapeHtml(words.translate('linkQr', { title: link.title }))}">`,
    },
  ]
  return (
    <Card label={translate('embed')}>
      <h2>{translate('embed')}</h2>
      <div className="stack">
        <p className="soft">{translate('embedNote')}</p>
        {parts.map(({ name, html }) => (
          <div key={name} className="group">
            <strong className="small">{name}</strong>
            <code className="code" dir="ltr">
              {html}
            </code>
            <div>
              <CopyButton text={html} subject={name} />
            </div>
          </div>
        ))}
      </div>
    </Card>
  )
}
