import { useState } from 'react'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { Table, When } from '../../kit/console/Table.tsx'
import { Field } from '../../kit/controls.tsx'
import { amountText, Facts, Money } from '../../kit/display.tsx'
import { Act } from '../Act.tsx'
import { useLanguage } from '../language.ts'
import { isCurrency, minus, plus } from '../numbers.ts'
import { hrefTo } from '../place.ts'
import { TIME_ZONE, useAsked, useSession } from '../session.ts'
import type { Moved, Wallet } from '../types.ts'
import { isLocked, isLockedByOperator, LockBadge } from './LockBadge.tsx'

/** One payer: the money first, then what an operator can do for or against it. */
export function WalletPage({ id }: { id: string }) {
  const { say, locale } = useLanguage()
  const path = `wallets/${encodeURIComponent(id)}`
  const asked = useAsked<Wallet>(path)
  const wallet = asked.data
  return (
    <PageFrame
      title={wallet?.name ?? say('wallet')}
      back={hrefTo('wallets')}
      actions={
        wallet?.erased_at === null && <LockAct wallet={wallet} path={path} onDone={asked.again} />
      }
    >
      <Loaded asked={asked}>
        {(known) => (
          <>
            {known.balances.length === 0 ? (
              <Empty title={say('noBalance')} />
            ) : (
              <Table
                label={say('balance')}
                rows={known.balances}
                keyOf={({ currency }) => currency}
                columns={[
                  { title: say('currency'), cell: ({ currency }) => currency },
                  {
                    title: say('balance'),
                    isEnd: true,
                    cell: ({ currency, balance: amount }) => (
                      <Money amount={amount} currency={currency} locale={locale} />
                    ),
                  },
                ]}
              />
            )}
            <div className="page-actions">
              {known.erased_at === null && (
                <MoveWalletMoney kind="top-up" wallet={known} onDone={asked.again} />
              )}
              <MoveWalletMoney kind="withdraw" wallet={known} onDone={asked.again} />
              {known.erased_at === null && (
                <>
                  <ResetPin path={path} />
                  <Erase wallet={known} path={path} onDone={asked.again} />
                </>
              )}
            </div>
            <section className="card" aria-label={say('wallet')}>
              <Facts
                facts={[
                  [say('state'), <LockBadge key="lock" wallet={known} />],
                  [
                    say('lockedUntil'),
                    isLocked(known) && !isLockedByOperator(known) && (
                      <When key="until" at={known.locked_until!} timeZone={TIME_ZONE} />
                    ),
                  ],
                  [say('mode'), say(known.mode === 'live' ? 'live' : 'sandboxShort')],
                  [say('email'), <bdi key="email">{known.email}</bdi>],
                  [say('phone'), <bdi key="phone">{known.phone}</bdi>],
                  [say('number'), <code key="id">{known.wallet_id}</code>],
                ]}
              />
            </section>
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}

type ActProps = { wallet: Wallet; path: string; onDone: () => void }

/** Only an empty wallet: nobody would be there any more whose money it is. */
function Erase({ wallet, path, onDone }: ActProps) {
  const { say } = useLanguage()
  const { ask } = useSession()
  const isEmpty = wallet.balances.every(({ balance }) => Number(balance) === 0)
  return (
    <Act
      label={say('erase')}
      confirm={say('erase')}
      isDanger={true}
      onDone={onDone}
      isIncomplete={!isEmpty}
      run={() => ask(`${path}/erase`, { method: 'POST' })}
    >
      <p>{say('eraseNote')}</p>
      {!isEmpty && <p>{say('eraseEmptyFirst')}</p>}
    </Act>
  )
}

function LockAct({ wallet, path, onDone }: ActProps) {
  const { say, locale } = useLanguage()
  const { ask } = useSession()
  const locked = isLocked(wallet)
  const word = locked ? say('unlock') : say('lock')
  return (
    <Act
      label={word}
      confirm={word}
      isDanger={!locked}
      onDone={onDone}
      run={() => ask(`${path}/${locked ? 'unlock' : 'lock'}`, { method: 'POST' })}
    >
      <p>{locked ? say('unlockNote') : say('lockNote')}</p>
      <Facts
        facts={wallet.balances.map(({ currency, balance: amount }) => [
          say('heldIn', { currency }),
          amountText({ amount, currency, locale }),
        ])}
      />
    </Act>
  )
}

function ResetPin({ path }: { path: string }) {
  const { say } = useLanguage()
  const { ask } = useSession()
  const [pin, setPin] = useState('')
  return (
    <Act
      label={say('setPin')}
      confirm={say('setPin')}
      isIncomplete={!/^\d{4,8}$/.test(pin)}
      onOpen={() => setPin('')}
      run={() => ask(`${path}/pin`, { method: 'POST', body: { pin } })}
    >
      <Field
        label={say('pin')}
        help={say('pinHelp')}
        value={pin}
        onChange={setPin}
        inputMode="numeric"
        autoComplete="off"
      />
      <p className="small soft">{say('setPinNote')}</p>
    </Act>
  )
}

type Props = { kind: 'top-up' | 'withdraw'; wallet: Wallet; onDone: () => void }

/** Money enters or leaves a wallet; the balance before and after is shown first. */
export function MoveWalletMoney({ kind, wallet, onDone }: Props) {
  const { say, locale } = useLanguage()
  const { ask } = useSession()
  const [currency, setCurrency] = useState('')
  const [amount, setAmount] = useState('')
  // The same form sent twice moves money once.
  const [key, setKey] = useState('')
  const isOut = kind === 'withdraw'
  const isKnown = isCurrency(currency)
  const balance = wallet.balances.find((one) => one.currency === currency)?.balance ?? '0.00'
  const move = isOut ? minus : plus
  const after = isKnown ? move(currency, balance, amount) : null
  const isShort = after?.startsWith('-') === true
  const word = isOut ? say('withdraw') : say('topUp')
  const text = (value: string) => amountText({ amount: value, currency, locale })
  return (
    <Act<Moved>
      label={word}
      title={`${word}: ${wallet.name}`}
      isDanger={isOut}
      onDone={onDone}
      confirm={after === null ? word : `${word} ${text(amount)}`}
      isIncomplete={after === null || isShort}
      onOpen={() => {
        setKey(crypto.randomUUID())
        setAmount('')
        setCurrency(wallet.balances[0]?.currency ?? '')
      }}
      run={() => {
        const body = { currency, amount }
        return ask(`wallets/${wallet.wallet_id}/${kind}`, { method: 'POST', key, body })
      }}
    >
      <Field
        label={say('currency')}
        value={currency}
        maxLength={3}
        onChange={(typed) => setCurrency(typed.toUpperCase())}
      />
      <Field
        label={say('amount')}
        value={amount}
        onChange={setAmount}
        inputMode="decimal"
        problem={isShort ? say('notCovered') : undefined}
      />
      {isKnown && (
        <Facts
          facts={[
            [say('walletNow'), text(balance)],
            [say('walletAfter'), after === null || isShort ? '–' : text(after)],
          ]}
        />
      )}
    </Act>
  )
}
