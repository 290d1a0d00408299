import type { IssuedToken, OperatorToken, TokenList } from '@florin/contract/tokens.js'
import { useState } from 'react'
import { ActionButton, Badge } from '../../kit/console/actions.tsx'
import { PageFrame, Tabs } from '../../kit/console/Shell.tsx'
import { Empty, PagedTable } from '../../kit/console/states.tsx'
import { RelativeTime, TwoLines } from '../../kit/console/Table.tsx'
import { Facts, Notice } from '../../kit/display.tsx'
import { usePages } from '../../kit/query.ts'
import { Allowed } from '../Allowed.tsx'
import { NewSecrets } from '../forms.tsx'
import { useLanguage } from '../language.ts'
import { hrefTo, type PageProps } from '../route.ts'
import { useSession } from '../session.ts'
import { NewToken } from './NewToken.tsx'

/** The bearer tokens of programs, with their owners. */
export function TokensPage({ id }: PageProps) {
  const { translate } = useLanguage()
  const state = id === 'ended' ? 'ended' : 'active'
  const list = usePages<TokenList>(`tokens?state=${state}&limit=50`)
  const [issued, setIssued] = useState<IssuedToken | null>(null)
  const upgraded = list.pages[0]?.upgraded ?? 0
  return (
    <PageFrame
      title={translate('tokens')}
      actions={
        <Allowed permission="admin">
          <NewToken
            onDone={(token) => {
              setIssued(token)
              list.reload()
            }}
          />
        </Allowed>
      }
    >
      <p className="soft">{translate('tokensNote')}</p>
      {upgraded > 0 && (
        <Notice tone="pending">{translate('tokensUpgraded', { count: upgraded })}</Notice>
      )}
      <Tabs
        label={translate('tokens')}
        tabs={[
          {
            href: hrefTo('tokens'),
            label: translate('tokensActive'),
            isCurrent: state === 'active',
          },
          {
            href: hrefTo('tokens', 'ended'),
            label: translate('tokensEnded'),
            isCurrent: state === 'ended',
          },
        ]}
      />
      <PagedTable
        list={list}
        rowsOf={(page) => page.tokens}
        label={translate('tokens')}
        keyOf={({ token_id: id }) => id}
        empty={
          <Empty
            title={translate('noTokens')}
            note={state === 'active' && translate('noTokensHelp')}
          />
        }
        columns={[
          [translate('label'), ({ label, owner }) => <TwoLines first={label} second={owner} />],
          [
            translate('scopes'),
            ({ scopes }) => scopes.map((scope) => translate(`scope_${scope}`)).join(', '),
          ],
          [translate('state'), (token) => <StateBadge token={token} />],
          [
            translate('lastUsed'),
            ({ last_used_at: at }) => (at ? <RelativeTime at={at} /> : translate('never')),
            'extra',
          ],
          [translate('expires'), ({ expires_at: at }) => <RelativeTime at={at} />, 'extra'],
          [
            translate('actions'),
            (token) =>
              token.revoked_at === null && (
                <Allowed permission="admin">
                  <div className="row-actions">
                    <RevokeToken token={token} onDone={list.reload} />
                  </div>
                </Allowed>
              ),
            'end',
          ],
        ]}
      />
      <NewSecrets
        title={translate('newToken')}
        secrets={issued && [[issued.label, issued.token]]}
        onClose={() => setIssued(null)}
      />
    </PageFrame>
  )
}

function StateBadge({ token: { state, upgraded } }: { token: OperatorToken }) {
  const { translate } = useLanguage()
  if (state !== 'active') return <Badge tone="neutral" text={translate(`token_${state}`)} />
  return upgraded ? (
    <Badge tone="warn" text={translate('token_upgraded')} />
  ) : (
    <Badge tone="good" text={translate('token_active')} />
  )
}

function RevokeToken({ token, onDone }: { token: OperatorToken; onDone: () => void }) {
  const { translate } = useLanguage()
  const { request } = useSession()
  return (
    <ActionButton<OperatorToken>
      label={translate('revoke')}
      subject={token.label}
      isDanger
      run={() => request(`tokens/${token.token_id}`, { method: 'DELETE' })}
      onDone={onDone}
    >
      <p>{translate('revokeTokenNote')}</p>
      <Facts
        facts={[
          [translate('label'), <bdi key="label">{token.label}</bdi>],
          [translate('tokenOwner'), <bdi key="owner">{token.owner}</bdi>],
        ]}
      />
    </ActionButton>
  )
}
