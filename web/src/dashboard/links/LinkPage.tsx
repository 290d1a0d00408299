import type { Link } from '@florin/contract/links.js'
import { mayOpen } from '@florin/server/core/pages.js'
import { textQrRows } from '@florin/server/core/qrSymbol.js'
import { LANGUAGE_NAMES } from '@florin/shared/locales.js'
import { useState } from 'react'
import { ActionButton, CopyButton } from '../../kit/console/actions.tsx'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { Button } from '../../kit/controls.tsx'
import { Card, Facts, Icon, Money, useTimeText } from '../../kit/display.tsx'
import { QrImage } from '../../kit/QrImage.tsx'
import { useResource } from '../../kit/query.ts'
import { basePath } from '../../kit/request.ts'
import { ShareButton } from '../../kit/store/Share.tsx'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { Embed } from './Embed.tsx'
import { LinkForm } from './LinkForm.tsx'
import { LinkState } from './LinkState.tsx'
import { STANDS } from './stands.ts'

export function LinkPage({ id }: { id: string }) {
  const { translate } = useLanguage()
  const { mode, hrefTo } = useDashboardRoute()
  const resource = useResource<Link>(`${mode}/links/${encodeURIComponent(id)}`)
  return (
    <PageFrame title={resource.data?.title ?? translate('link')} back={hrefTo('links')}>
      <Loaded resource={resource} back={hrefTo('links')}>
        {(link) => <LinkView link={link} reload={resource.reload} />}
      </Loaded>
    </PageFrame>
  )
}

type Props = { link: Link; reload: () => void }

function LinkView({ link, reload }: Props) {
  const { translate } = useLanguage()
  const { hrefTo } = useDashboardRoute()
  const { role } = useSession().account.person
  return (
    <>
      <div className="payment-top">
        {link.amount === null ? (
          <strong className="link-open">{translate('payerChooses')}</strong>
        ) : (
          <Money amount={link.amount} currency={link.currency} isLarge />
        )}
        <div role="status">
          <LinkState state={link.state} />
        </div>
        {mayOpen(role, 'settings') && <LinkActions link={link} reload={reload} />}
      </div>
      {link.description && <p dir="auto">{link.description}</p>}
      <Code link={link} />
      <div className="columns">
        <Income link={link} />
        <Card label={translate('stands')}>
          <h2>{translate('stands')}</h2>
          <p className="soft">{translate('standsNote')}</p>
          <div className="stand-choice">
            {STANDS.map((stand) => (
              <a key={stand} href={hrefTo('links', link.link_id, { stand })}>
                <span className={`stand-icon stand-icon-${stand}`} aria-hidden="true">
                  <Icon name="scan" />
                </span>
                {translate(`stand_${stand}`)}
              </a>
            ))}
          </div>
        </Card>
      </div>
      <Embed link={link} />
    </>
  )
}

function LinkActions({ link, reload }: Props) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const { mode } = useDashboardRoute()
  const [isChanging, setChanging] = useState(false)
  const path = `${mode}/links/${link.link_id}`
  return (
    <div className="page-actions">
      <Button look="quiet" onClick={() => setChanging(true)}>
        {translate('change')}
      </Button>
      <ActionButton<Link>
        label={translate(link.active ? 'pauseLink' : 'activateLink')}
        title={translate(link.active ? 'pauseLinkAsk' : 'activateLinkAsk')}
        conflictText={translate('tooManyLinks')}
        run={() => request(path, { method: 'PATCH', body: { active: !link.active } })}
        onDone={reload}
      >
        <p>{translate(link.active ? 'pauseLinkNote' : 'activateLinkNote')}</p>
      </ActionButton>
      {isChanging && (
        <LinkForm
          link={link}
          onClose={() => setChanging(false)}
          onDone={() => {
            setChanging(false)
            reload()
          }}
        />
      )}
    </div>
  )
}

/** What to show and to send to customers. */
function Code({ link }: { link: Link }) {
  const { translate } = useLanguage()
  const { mode } = useDashboardRoute()
  const { url, title } = link
  return (
    <section className="card pay-card" aria-label={translate('linkCode')}>
      <div className="pay-qr">
        <QrImage rows={textQrRows(url)} label={translate('linkQr', { title })} />
      </div>
      <div className="pay-how">
        <h2>{translate('linkCode')}</h2>
        <p className="soft">{translate('linkCodeNote')}</p>
        <code className="code" dir="ltr">
          {url}
        </code>
        <div className="buttons">
          <ShareButton title={title} url={url} />
          <CopyButton text={url} label={translate('copyLink')} />
          <a
            className="button button-quiet"
            href={`${basePath}/store/${mode}/links/${link.link_id}/qr?format=png&size=1000`}
            download={`${link.link_id}.png`}
          >
            {translate('downloadQr')}
          </a>
          <a className="button button-quiet" href={url} target="_blank" rel="noreferrer">
            <Icon name="external" />
            {translate('openLink')}
          </a>
        </div>
      </div>
    </section>
  )
}

/** How much was paid with the link, and its terms. */
function Income({ link }: { link: Link }) {
  const { translate } = useLanguage()
  const { account } = useSession()
  const { hrefTo } = useDashboardRoute()
  const timeText = useTimeText(account.store.time_zone)
  return (
    <Card label={translate('linkIncome')}>
      <h2>{translate('linkIncome')}</h2>
      <p>
        <Money amount={link.paid_total} currency={link.paid_currency} isLarge />
      </p>
      <Facts
        facts={[
          [
            translate('timesPaid'),
            link.max_payments === null
              ? link.paid_count
              : translate('timesPaidOf', { count: link.paid_count, max: link.max_payments }),
          ],
          [translate('reference'), link.reference_id && <bdi>{link.reference_id}</bdi>],
          [translate('expiresAt'), link.expires_at && timeText(link.expires_at)],
          [translate('linkLanguage'), link.locale && LANGUAGE_NAMES[link.locale]],
          [translate('createdAt'), timeText(link.created_at)],
        ]}
      />
      {link.paid_count > 0 && (
        <p>
          <a
            className="button button-quiet"
            href={hrefTo('payments', undefined, { link: link.link_id })}
          >
            {translate('showLinkPayments')}
          </a>
        </p>
      )}
    </Card>
  )
}
