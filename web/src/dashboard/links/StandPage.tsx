import type { Link } from '@florin/contract/links.js'
import './stand.css'
import { textQrRows } from '@florin/server/core/qrSymbol.js'
import { directionOf } from '@florin/shared/locales.js'
import { useLayoutEffect } from 'react'
import { Segments } from '../../kit/console/Segments.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { Button } from '../../kit/controls.tsx'
import { BackLink, useHeading } from '../../kit/Page.tsx'
import { setPaperSize } from '../../kit/paper.ts'
import { QrImage } from '../../kit/QrImage.tsx'
import { useResource } from '../../kit/query.ts'
import { StoreLogo } from '../../kit/StoreLogo.tsx'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { STAND_MM, STANDS, type StandSize } from './stands.ts'
import { useStandWords } from './standWords.ts'

/** A sheet to print. On the screen, a toolbar and a preview of the sheet. */
export default function StandPage({ id }: { id: string }) {
  const { translate } = useLanguage()
  const { mode, query, setQuery, hrefTo } = useDashboardRoute()
  const heading = useHeading(translate('stands'))
  const link = useResource<Link>(`${mode}/links/${encodeURIComponent(id)}`)
  const size = STANDS.find((stand) => stand === query.get('stand')) ?? 'a6'
  return (
    <div className="stand-page">
      <header className="stand-tools">
        <BackLink href={hrefTo('links', id)} label={translate('back')} />
        <h1 ref={heading} tabIndex={-1}>
          {translate('stands')}
        </h1>
        <Segments
          label={translate('standSize')}
          options={STANDS.map((stand) => [stand, translate(`stand_${stand}`)] as const)}
          value={size}
          onChange={(stand) => setQuery({ stand })}
        />
        <Button onClick={() => print()}>{translate('print')}</Button>
        <p className="small soft">{translate('printHelp')}</p>
      </header>
      <main>
        <Loaded resource={link}>{(data) => <Stand link={data} size={size} />}</Loaded>
      </main>
    </div>
  )
}

function Stand({ link, size }: { link: Link; size: StandSize }) {
  const { store } = useSession().account
  const [width, height] = STAND_MM[size]
  useLayoutEffect(() => setPaperSize(width, height), [width, height])
  const words = useStandWords(link)
  if (words === null) return null
  const { translate, locale, amount } = words
  const isLong = link.title.length > 32
  return (
    <div className={`stand stand-${size}`} lang={locale} dir={directionOf(locale)}>
      {link.mode === 'sandbox' && (
        <p className="stand-sandbox">
          <strong>{translate('sandbox')}</strong> {translate('sandboxNote')}
        </p>
      )}
      <div className="stand-store">
        <StoreLogo url={store.logo} size={96} storeId={store.id} />
        <bdi>{store.name}</bdi>
      </div>
      <p className={isLong ? 'stand-title stand-title-long' : 'stand-title'} dir="auto">
        {link.title}
      </p>
      {amount !== null && <p className="stand-amount">{amount}</p>}
      <QrImage
        className="stand-qr"
        rows={textQrRows(link.url)}
        label={translate('linkQr', { title: link.title })}
      />
      <p className="stand-scan">{translate('scanToPay')}</p>
      <p className="stand-url" dir="ltr">
        {link.url.replace(/^https?:\/\//, '')}
      </p>
    </div>
  )
}
