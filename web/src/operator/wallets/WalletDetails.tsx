import type { Wallet } from '@florin/contract/wallet.js'
import type { Activation } from '@florin/contract/walletAccount.js'
import { useState } from 'react'
import { ActionButton } from '../../kit/console/actions.tsx'
import { listHref } from '../../kit/console/listMemory.ts'
import { PageFrame, Tabs } from '../../kit/console/Shell.tsx'
import { Empty, isMissing, Loaded } from '../../kit/console/states.tsx'
import { RelativeTime, Table } from '../../kit/console/Table.tsx'
import { Checkbox, Field } from '../../kit/controls.tsx'
import { Facts, Money, useMoneyText } from '../../kit/display.tsx'
import { CurrencySelect } from '../../kit/pickers.tsx'
import { useResource } from '../../kit/query.ts'
import { modeWord } from '../../kit/store/payment.ts'
import { Allowed } from '../Allowed.tsx'
import { MoneyForm } from '../forms.tsx'
import { useLanguage } from '../language.ts'
import { hrefTo } from '../route.ts'
import { useSession } from '../session.ts'
import { ActivationCode } from './ActivationCode.tsx'
import { isBuiltIn, isLocked, isLockedByOperator, LockBadge } from './LockBadge.tsx'
import { WalletActivity } from './WalletActivity.tsx'

const PARTS = ['details', 'activity'] as const

export function WalletDetails({ id, part }: { id: string; part: string }) {
  const { translate } = useLanguage()
  const path = `wallets/${encodeURIComponent(id)}`
  const resource = useResource<Wallet>(path)
  const wallet = resource.data
  const [back] = useState(() => listHref(hrefTo('wallets')))
  const current = PARTS.find((name) => name === part) ?? 'details'
  return (
    <PageFrame
      title={wallet?.name ?? translate('wallet')}
      back={back}
      actions={
        wallet?.erased_at === null &&
        (isLocked(wallet) || !isBuiltIn(wallet)) && (
          <Allowed permission="support">
            <LockButton wallet={wallet} path={path} onDone={resource.reload} />
          </Allowed>
        )
      }
    >
      {!isMissing(resource.problem) && (
        <>
          <Tabs
            label={wallet?.name ?? translate('wallet')}
            tabs={PARTS.map((name) => ({
              href: hrefTo('wallets', id, name),
              label: translate(name),
              isCurrent: name === current,
            }))}
          />
          {current === 'activity' && <WalletActivity path={path} />}
        </>
      )}
      <Loaded resource={resource} back={back}>
        {(wallet) =>
          current === 'details' && (
            <>
              <Table
                empty={<Empty title={translate('noBalance')} />}
                label={translate('balance')}
                rows={wallet.balances}
                keyOf={({ currency }) => currency}
                columns={[
                  [translate('currency'), ({ currency }) => currency],
                  [
                    translate('balance'),
                    ({ currency, balance: amount }) => (
                      <Money amount={amount} currency={currency} />
                    ),
                    'end',
                  ],
                ]}
              />
              <div className="page-actions">
                <Allowed permission="money">
                  {wallet.erased_at === null && (
                    <MoveWalletMoney kind="top-up" wallet={wallet} onDone={resource.reload} />
                  )}
                  <MoveWalletMoney kind="withdraw" wallet={wallet} onDone={resource.reload} />
                </Allowed>
                {wallet.erased_at === null && !isBuiltIn(wallet) && (
                  <Allowed permission="support">
                    <NewActivation wallet={wallet} path={path} onDone={resource.reload} />
                    <EraseButton wallet={wallet} path={path} onDone={resource.reload} />
                  </Allowed>
                )}
              </div>
              <section className="card" aria-label={translate('wallet')}>
                <Facts
                  facts={[
                    [translate('state'), <LockBadge key="lock" wallet={wallet} />],
                    [
                      translate('lockedUntil'),
                      isLocked(wallet) && !isLockedByOperator(wallet) && (
                        <RelativeTime key="until" at={wallet.locked_until!} />
                      ),
                    ],
                    [translate('mode'), translate(modeWord(wallet.mode))],
                    [translate('email'), <bdi key="email">{wallet.email}</bdi>],
                    [translate('phone'), <bdi key="phone">{wallet.phone}</bdi>],
                    [translate('number'), <code key="id">{wallet.wallet_id}</code>],
                  ]}
                />
              </section>
            </>
          )
        }
      </Loaded>
    </PageFrame>
  )
}

type ActionProps = { wallet: Wallet; path: string; onDone: () => void }

/** Erases the payer's identity. Only for an empty wallet, because remaining money would have no owner. */
function EraseButton({ wallet, path, onDone }: ActionProps) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const isEmpty = wallet.balances.every(({ balance }) => Number(balance) === 0)
  return (
    <ActionButton
      label={translate('erase')}
      title={`${translate('erase')}: ${wallet.name}`}
      isDanger
      onDone={onDone}
      blockedReason={!isEmpty && translate('eraseEmptyFirst')}
      run={() => request(`${path}/erase`, { method: 'POST' })}
    >
      <p>{translate('eraseNote')}</p>
    </ActionButton>
  )
}

function LockButton({ wallet, path, onDone }: ActionProps) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const moneyText = useMoneyText()
  const isWalletLocked = isLocked(wallet)
  const label = isWalletLocked ? translate('unlock') : translate('lock')
  return (
    <ActionButton
      label={label}
      title={`${label}: ${wallet.name}`}
      isDanger={!isWalletLocked}
      onDone={onDone}
      run={() => request(`${path}/${isWalletLocked ? 'unlock' : 'lock'}`, { method: 'POST' })}
    >
      <p>{isWalletLocked ? translate('unlockNote') : translate('lockNote')}</p>
      <Facts
        facts={wallet.balances.map(({ currency, balance: amount }) => [
          translate('balanceIn', { currency }),
          moneyText(amount, currency),
        ])}
      />
    </ActionButton>
  )
}

/**
 * A code for a payer who lost the first one or the PIN. If a live wallet is in use, only an admin sees the code: for other
 * operators, it is only emailed.
 */
function NewActivation({ wallet, path, onDone }: ActionProps) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const [endsSessions, setEndsSessions] = useState(false)
  const [activation, setActivation] = useState<Activation | null>(null)
  return (
    <>
      <ActionButton<Activation>
        label={translate('newActivation')}
        title={`${translate('newActivation')}: ${wallet.name}`}
        onOpen={() => setEndsSessions(false)}
        conflictText={wallet.mode === 'live' ? translate('activationByAdmin') : undefined}
        run={() =>
          request(`${path}/activation`, { method: 'POST', body: { end_sessions: endsSessions } })
        }
        onDone={(created) => {
          setActivation(created)
          onDone()
        }}
      >
        <p>{translate('newActivationNote')}</p>
        <Checkbox
          label={translate('endSessionsNow')}
          isChecked={endsSessions}
          onChange={setEndsSessions}
        />
      </ActionButton>
      {activation && (
        <ActivationCode
          name={wallet.name}
          activation={activation}
          onClose={() => setActivation(null)}
        />
      )}
    </>
  )
}

type MoveWalletMoneyProps = { kind: 'top-up' | 'withdraw'; wallet: Wallet; onDone: () => void }

function MoveWalletMoney({ kind, wallet, onDone }: MoveWalletMoneyProps) {
  const { translate } = useLanguage()
  const [currency, setCurrency] = useState('')
  const [note, setNote] = useState('')
  const isWithdrawal = kind === 'withdraw'
  const label = isWithdrawal ? translate('withdraw') : translate('topUp')
  return (
    <MoneyForm
      label={label}
      title={`${label}: ${wallet.name}`}
      path={`wallets/${wallet.wallet_id}/${kind}`}
      isWithdrawal={isWithdrawal}
      fields={note === '' ? { currency } : { currency, note }}
      currency={currency}
      balance={wallet.balances.find((entry) => entry.currency === currency)?.balance ?? '0.00'}
      amountLabel={translate('amount')}
      balanceLabels={[translate('walletNow'), translate('walletAfter')]}
      onOpen={() => {
        setCurrency(wallet.balances[0]?.currency ?? '')
        setNote('')
      }}
      onDone={onDone}
      extra={
        <Field
          label={translate('note')}
          help={translate('payerNoteHelp')}
          name="note"
          value={note}
          onChange={setNote}
        />
      }
    >
      <CurrencySelect
        label={translate('currency')}
        name="currency"
        value={currency}
        onChange={setCurrency}
      />
    </MoneyForm>
  )
}
