import { useState } from 'react'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty } from '../../kit/console/states.tsx'
import { Choice, Field } from '../../kit/controls.tsx'
import { Money } from '../../kit/display.tsx'
import type { Mode } from '../../kit/store/payment.ts'
import { Act } from '../Act.tsx'
import { useLanguage } from '../language.ts'
import { Paged } from '../Paged.tsx'
import { hrefTo, type PageProps, search, useOperatorPlace } from '../place.ts'
import { Search } from '../Search.tsx'
import { useSession } from '../session.ts'
import type { Wallet } from '../types.ts'
import { usePages } from '../usePages.ts'
import { LockBadge } from './LockBadge.tsx'
import { WalletPage } from './WalletPage.tsx'

export function WalletsPage({ id }: PageProps) {
  return id === '' ? <WalletList /> : <WalletPage id={id} />
}

function WalletList() {
  const { say, locale } = useLanguage()
  const phone = useOperatorPlace().query.get('phone') ?? ''
  const query = phone === '' ? '' : `&phone=${encodeURIComponent(phone)}`
  const pages = usePages<Wallet, 'wallets'>(`wallets?limit=50${query}`, 'wallets')
  return (
    <PageFrame title={say('wallets')} actions={<NewWallet />}>
      <Search
        label={say('findWallet')}
        value={phone}
        onSearch={(text) => search('wallets', { phone: text })}
      />
      <Paged
        pages={pages}
        label={say('wallets')}
        keyOf={({ wallet_id }) => wallet_id}
        hrefOf={({ wallet_id: id }) => hrefTo('wallets', id)}
        empty={<Empty title={say(phone === '' ? 'noWallets' : 'noWalletFound')} />}
        columns={[
          { title: say('name'), cell: ({ name }) => <span dir="auto">{name}</span> },
          { title: say('phone'), isExtra: true, cell: ({ phone: number }) => <bdi>{number}</bdi> },
          {
            title: say('mode'),
            cell: ({ mode }) => say(mode === 'live' ? 'live' : 'sandboxShort'),
          },
          { title: say('state'), isExtra: true, cell: (wallet) => <LockBadge wallet={wallet} /> },
          {
            title: say('balance'),
            isEnd: true,
            cell: ({ balances }) => (
              <div>
                {balances.map(({ currency, balance: amount }) => (
                  <div key={currency}>
                    <Money amount={amount} currency={currency} locale={locale} />
                  </div>
                ))}
              </div>
            ),
          },
        ]}
      />
    </PageFrame>
  )
}

const EMPTY = { name: '', email: '', phone: '', pin: '' }

function NewWallet() {
  const { say } = useLanguage()
  const { ask } = useSession()
  const [mode, setMode] = useState<Mode>('live')
  const [fields, setFields] = useState(EMPTY)
  const field = (name: keyof typeof EMPTY) => ({
    label: say(name),
    value: fields[name],
    onChange: (value: string) => setFields({ ...fields, [name]: value }),
  })
  return (
    <Act<Wallet>
      label={say('newWallet')}
      look="primary"
      confirm={say('createWallet')}
      isIncomplete={Object.values(fields).some((text) => text.trim() === '')}
      run={() => ask('wallets', { method: 'POST', body: { mode, ...fields } })}
      onDone={({ wallet_id: id }) => {
        location.hash = hrefTo('wallets', id)
      }}
    >
      <Choice<Mode>
        label={say('mode')}
        value={mode}
        onChange={setMode}
        options={[
          ['live', say('live')],
          ['sandbox', say('sandboxShort')],
        ]}
      />
      <Field {...field('name')} />
      <Field {...field('email')} type="email" />
      <Field {...field('phone')} type="tel" help={say('phoneHelp')} />
      <Field {...field('pin')} help={say('pinHelp')} inputMode="numeric" autoComplete="off" />
    </Act>
  )
}
