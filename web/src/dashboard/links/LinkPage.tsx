import type { Link } from '@florin/contract/links.js'
import { mayOpen } from '@florin/server/core/pages.js'
import { linkRows } from '@florin/server/core/qrSymbol.js'
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
import { LinkState } from './parts.tsx'
import { STANDS } from './stands.ts'

export function LinkPage({ id }: { id: string }) {
  const { say } = useLanguage()
  const { mode, hrefTo } = useDashboardRoute()
  const resource = useResource<Link>(`${mode}/links/${encodeURIComponent(id)}`)
  return (
    <PageFrame title={resource.data?.title ?? say('link')} back={hrefTo('links')}>
      <Loaded resource={resource}>
        {(link) => <LinkView link={link} reload={resource.reload} />}
      </Loaded>
    </PageFrame>
  )
}

type Props = { link: Link; reload: () => void }

function LinkView({ link, reload }: Props) {
  const { say } = useLanguage()
  const { hrefTo } = useDashboardRoute()
  const { role } = useSession().account.person
  return (
    <>
      <div className="payment-top">
        {link.amount === null ? (
          <strong className="link-open">{say('payerChooses')}</strong>
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
        <Card label={say('stands')}>
          <h2>{say('stands')}</h2>
          <p className="soft">{say('standsNote')}</p>
          <div className="stand-choice">
            {STANDS.map((stand) => (
              <a key={stand} href={hrefTo('links', link.link_id, { stand })}>
                <span className={`stand-icon stand-icon-${stand}`} aria-hidden="true">
                  <Icon name="scan" />
                </span>
                {say(`stand_${stand}`)}
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
  const { say } = useLanguage()
  const { request } = useSession()
  const { mode } = useDashboardRoute()
  const [isChanging, setChanging] = useState(false)
  const path = `${mode}/links/${link.link_id}`
  return (
    <div className="page-actions">
      <Button look="quiet" onClick={() => setChanging(true)}>
        {say('change')}
      </Button>
      <ActionButton<Link>
        label={say(link.active ? 'pauseLink' : 'activateLink')}
        title={say(link.active ? 'pauseLinkAsk' : 'activateLinkAsk')}
        confirm={say(link.active ? 'pauseLink' : 'activateLink')}
        conflict={say('tooManyLinks')}
        run={() => request(path, { method: 'PATCH', body: { active: !link.active } })}
        onDone={reload}
      >
        <p>{say(link.active ? 'pauseLinkNote' : 'activateLinkNote')}</p>
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
  const { say } = useLanguage()
  const { mode } = useDashboardRoute()
  const { url, title } = link
  return (
    <section className="card pay-card" aria-label={say('linkCode')}>
      <div className="pay-qr">
        <QrImage rows={linkRows(url)} label={say('linkQr', { title })} />
      </div>
      <div className="pay-how">
        <h2>{say('linkCode')}</h2>
        <p className="soft">{say('linkCodeNote')}</p>
        <code className="code" dir="ltr">
          {url}
        </code>
        <div className="buttons">
          <ShareButton title={title} url={url} />
          <CopyButton text={url} label={say('copyLink')} />
          <a
            className="button button-quiet"
            href={`${basePath}/store/${mode}/links/${link.link_id}/qr?format=png&size=1000`}
            download={`${link.link_id}.png`}
          >
            {say('downloadQr')}
          </a>
          <a className="button button-quiet" href={url} target="_blank" rel="noreferrer">
            <Icon name="external" />
            {say('openLink')}
          </a>
        </div>
      </div>
    </section>
  )
}

/** How much was paid with the link, and its terms. */
function Income({ link }: { link: Link }) {
  const { say } = useLanguage()
  const { account } = useSession()
  const { hrefTo } = useDashboardRoute()
  const time = useTimeText(account.store.time_zone)
  return (
    <Card label={say('linkIncome')}>
      <h2>{say('linkIncome')}</h2>
      <p>
        <Money amount={link.paid_total} currency={link.paid_currency} isLarge />
      </p>
      <Facts
        facts={[
          [
            say('timesPaid'),
            link.max_payments === null
              ? link.paid_count
              : say('timesPaidOf', { count: link.paid_count, max: link.max_payments }),
          ],
          [say('reference'), link.reference_id && <bdi>{link.reference_id}</bdi>],
          [say('expiresAt'), link.expires_at && time(link.expires_at)],
          [say('linkLanguage'), link.locale && LANGUAGE_NAMES[link.locale]],
          [say('createdAt'), time(link.created_at)],
        ]}
      />
      {link.paid_count > 0 && (
        <p>
          <a
            className="button button-quiet"
            href={hrefTo('payments', undefined, { link: link.link_id })}
          >
            {say('showLinkPayments')}
          </a>
        </p>
      )}
    </Card>
  )
}
