import type { Link, LinkList as Links } from '@florin/contract/links.js'
import { mayOpen } from '@florin/server/core/pages.js'
import { useState } from 'react'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, PagedTable } from '../../kit/console/states.tsx'
import { TwoLines } from '../../kit/console/Table.tsx'
import { Button } from '../../kit/controls.tsx'
import { Icon, Money, useMoneyText } from '../../kit/display.tsx'
import { usePages } from '../../kit/query.ts'
import { navigate } from '../../kit/router.ts'
import { useSession } from '../../kit/store/session.tsx'
import { FileDownload } from '../Download.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { LinkForm } from './LinkForm.tsx'
import { LinkState } from './LinkState.tsx'

export function LinkList() {
  const { translate } = useLanguage()
  const { mode, hrefTo } = useDashboardRoute()
  const moneyText = useMoneyText()
  const list = usePages<Links>(`${mode}/links`)
  const hasLinks = list.pages.some((page) => page.links.length > 0)
  return (
    <PageFrame
      title={translate('links')}
      actions={
        <>
          {hasLinks && <FileDownload file="links.csv" note={translate('downloadLinks')} />}
          <NewLink />
        </>
      }
    >
      <PagedTable<Link, Links>
        list={list}
        rowsOf={(page) => page.links}
        label={translate('links')}
        keyOf={(link) => link.link_id}
        hrefOf={(link) => hrefTo('links', link.link_id)}
        empty={<Empty title={translate('noLinks')} note={translate('noLinksNote')} />}
        columns={[
          [
            translate('linkTitle'),
            (link) => (
              <TwoLines
                first={link.title}
                second={
                  link.amount === null
                    ? translate('payerChooses')
                    : moneyText(link.amount, link.currency)
                }
              />
            ),
          ],
          [translate('state'), (link) => <LinkState state={link.state} />],
          [translate('timesPaid'), (link) => link.paid_count, 'end', 'extra'],
          [
            translate('linkTotal'),
            (link) => <Money amount={link.paid_total} currency={link.paid_currency} />,
            'end',
          ],
        ]}
      />
    </PageFrame>
  )
}

function NewLink() {
  const { translate } = useLanguage()
  const { account } = useSession()
  const { hrefTo } = useDashboardRoute()
  const [isOpen, setOpen] = useState(false)
  if (!mayOpen(account.person.role, 'settings')) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon name="plus" />
        {translate('newLink')}
      </Button>
      {isOpen && (
        <LinkForm
          onClose={() => setOpen(false)}
          onDone={({ link_id }) => navigate(hrefTo('links', link_id))}
        />
      )}
    </>
  )
}
