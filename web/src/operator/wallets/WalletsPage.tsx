import type { WalletList as WalletPage } from '@florin/contract/operator.js'
import type { CreatedWallet } from '@florin/contract/walletAccount.js'
import type { Mode } from '@florin/server/core/ids.js'
import { useState } from 'react'
import { useChecks } from '../../kit/checks.ts'
import { ActionButton } from '../../kit/console/actions.tsx'
import { KEEP_MS, useListMemory } from '../../kit/console/listMemory.ts'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, PagedTable } from '../../kit/console/states.tsx'
import { TwoLines } from '../../kit/console/Table.tsx'
import { Field } from '../../kit/controls.tsx'
import { Money } from '../../kit/display.tsx'
import { useFields } from '../../kit/form.ts'
import { usePages } from '../../kit/query.ts'
import { navigate } from '../../kit/router.ts'
import { modeWord } from '../../kit/store/payment.ts'
import { Allowed } from '../Allowed.tsx'
import { ModeSelect, Search } from '../forms.tsx'
import { useLanguage } from '../language.ts'
import { filterPage, hrefTo, type PageProps, useOperatorRoute } from '../route.ts'
import { useSession } from '../session.ts'
import { ActivationCode } from './ActivationCode.tsx'
import { LockBadge } from './LockBadge.tsx'
import { PinLimits } from './PinLimits.tsx'
import { WalletDetails } from './WalletDetails.tsx'

export function WalletsPage({ id, part }: PageProps) {
  return id === '' ? <WalletList /> : <WalletDetails id={id} part={part} />
}

function WalletList() {
  const { translate } = useLanguage()
  const search = useOperatorRoute().query.get('search') ?? ''
  const query = search === '' ? '' : `&search=${encodeURIComponent(search)}`
  const list = usePages<WalletPage>(`wallets?limit=50${query}`, { keepMs: KEEP_MS })
  useListMemory(hrefTo('wallets'), list.pages.length > 0)
  return (
    <PageFrame
      title={translate('wallets')}
      actions={
        <Allowed permission="support">
          <NewWallet />
        </Allowed>
      }
    >
      <Search
        label={translate('findWallet')}
        value={search}
        onSearch={(text) => filterPage('wallets', { search: text })}
      />
      <PagedTable
        list={list}
        rowsOf={(page) => page.wallets}
        label={translate('wallets')}
        keyOf={({ wallet_id }) => wallet_id}
        hrefOf={({ wallet_id: id }) => hrefTo('wallets', id)}
        empty={<Empty title={translate(search === '' ? 'noWallets' : 'noWalletFound')} />}
        columns={[
          [translate('name'), ({ name, email }) => <TwoLines first={name} second={email} />],
          [translate('phone'), ({ phone }) => <bdi>{phone}</bdi>, 'extra'],
          [translate('mode'), ({ mode }) => translate(modeWord(mode))],
          [translate('state'), (wallet) => <LockBadge wallet={wallet} />, 'extra'],
          [
            translate('balance'),
            ({ balances }) => (
              <div>
                {balances.length === 0 && '–'}
                {balances.map(({ currency, balance: amount }) => (
                  <div key={currency}>
                    <Money amount={amount} currency={currency} />
                  </div>
                ))}
              </div>
            ),
            'end',
          ],
        ]}
      />
      <PinLimits />
    </PageFrame>
  )
}

function NewWallet() {
  const { translate } = useLanguage()
  const { request } = useSession()
  const [mode, setMode] = useState<Mode>('live')
  const { field, trimFields } = useFields({ name: '', email: '', phone: '' })
  const { phone: phoneCheck } = useChecks()
  const [created, setCreated] = useState<CreatedWallet | null>(null)
  return (
    <>
      <ActionButton<CreatedWallet>
        label={translate('newWallet')}
        look="primary"
        confirmLabel={translate('createWallet')}
        run={() => request('wallets', { method: 'POST', body: { mode, ...trimFields() } })}
        onDone={setCreated}
      >
        <ModeSelect value={mode} onChange={setMode} />
        <Field label={translate('name')} {...field('name')} isRequired />
        <Field label={translate('email')} {...field('email')} type="email" isRequired />
        <Field
          label={translate('phone')}
          help={translate('phoneHelp')}
          {...field('phone')}
          type="tel"
          isRequired
          check={phoneCheck}
        />
        <p className="small soft">{translate('walletCodeNote')}</p>
      </ActionButton>
      {created?.activation && (
        <ActivationCode
          name={created.name}
          activation={created.activation}
          onClose={() => navigate(hrefTo('wallets', created.wallet_id))}
        />
      )}
    </>
  )
}
