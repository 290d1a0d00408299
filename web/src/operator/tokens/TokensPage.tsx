import type { IssuedToken, OperatorToken, TokenList } from '@florin/contract/tokens.js'
import { useState } from 'react'
import { ActionButton, Badge } from '../../kit/console/actions.tsx'
import { PageFrame, Tabs } from '../../kit/console/Shell.tsx'
import { Empty, PagedTable } from '../../kit/console/states.tsx'
import { TwoLines, When } from '../../kit/console/Table.tsx'
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
  const { say } = useLanguage()
  const state = id === 'ended' ? 'ended' : 'active'
  const list = usePages<TokenList>(`tokens?state=${state}&limit=50`)
  const [issued, setIssued] = useState<IssuedToken | null>(null)
  const upgraded = list.pages[0]?.upgraded ?? 0
  return (
    <PageFrame
      title={say('tokens')}
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
      <p className="soft">{say('tokensNote')}</p>
      {upgraded > 0 && <Notice tone="pending">{say('tokensUpgraded', { count: upgraded })}</Notice>}
      <Tabs
        label={say('tokens')}
        tabs={[
          { href: hrefTo('tokens'), label: say('tokensActive'), isCurrent: state === 'active' },
          {
            href: hrefTo('tokens', 'ended'),
            label: say('tokensEnded'),
            isCurrent: state === 'ended',
          },
        ]}
      />
      <PagedTable
        list={list}
        rowsOf={(page) => page.tokens}
        label={say('tokens')}
        keyOf={({ token_id: id }) => id}
        empty={<Empty title={say('noTokens')} note={state === 'active' && say('noTokensHelp')} />}
        columns={[
          [say('label'), ({ label, owner }) => <TwoLines first={label} second={owner} />],
          [say('scopes'), ({ scopes }) => scopes.map((one) => say(`scope_${one}`)).join(', ')],
          [say('state'), (token) => <StateBadge token={token} />],
          [
            say('lastUsed'),
            ({ last_used_at: at }) => (at ? <When at={at} /> : say('never')),
            'extra',
          ],
          [say('expires'), ({ expires_at: at }) => <When at={at} />, 'extra'],
          [
            say('actions'),
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
        title={say('newToken')}
        secrets={issued && [[issued.label, issued.token]]}
        onClose={() => setIssued(null)}
      />
    </PageFrame>
  )
}

function StateBadge({ token: { state, upgraded } }: { token: OperatorToken }) {
  const { say } = useLanguage()
  if (state !== 'active') return <Badge tone="neutral" text={say(`token_${state}`)} />
  return upgraded ? (
    <Badge tone="warn" text={say('token_upgraded')} />
  ) : (
    <Badge tone="good" text={say('token_active')} />
  )
}

function RevokeToken({ token, onDone }: { token: OperatorToken; onDone: () => void }) {
  const { say } = useLanguage()
  const { request } = useSession()
  return (
    <ActionButton<OperatorToken>
      label={say('revoke')}
      subject={token.label}
      isDanger
      run={() => request(`tokens/${token.token_id}`, { method: 'DELETE' })}
      onDone={onDone}
    >
      <p>{say('revokeTokenNote')}</p>
      <Facts
        facts={[
          [say('label'), <bdi key="label">{token.label}</bdi>],
          [say('tokenOwner'), <bdi key="owner">{token.owner}</bdi>],
        ]}
      />
    </ActionButton>
  )
}
