import type { OperatorStore, StoreList } from '@florin/contract/operator.js'
import { useState } from 'react'
import { Button, Field } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Money } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { useLanguage } from '../language.ts'
import { MoveMoney } from '../stores/MoveMoney.tsx'

/** Finds a store, then pays it out as on the store's own page. */
export function Payout({ onDone }: { onDone: () => void }) {
  const { translate } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{translate('payOut')}</Button>
      <Dialog title={translate('payOut')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <StoreSearch
          onDone={() => {
            setOpen(false)
            onDone()
          }}
        />
        <Button look="quiet" isWide onClick={() => setOpen(false)}>
          {translate('cancel')}
        </Button>
      </Dialog>
    </>
  )
}

const MAX_RESULTS = 5

function StoreSearch({ onDone }: { onDone: () => void }) {
  const { translate } = useLanguage()
  const [search, setSearch] = useState('')
  const query = new URLSearchParams({ limit: String(MAX_RESULTS) })
  if (search.trim() !== '') query.set('search', search.trim())
  const found = useResource<StoreList>(`stores?${query}`)
  return (
    <>
      <Field label={translate('findStore')} value={search} onChange={setSearch} autoFocus />
      <ul className="stack">
        {found.data?.stores.map(({ id }) => (
          <PayoutRow key={id} id={id} onDone={onDone} />
        ))}
      </ul>
      {found.data?.stores.length === 0 && <p className="soft">{translate('noStoreFound')}</p>}
    </>
  )
}

/** A store with its live balance. The dialog of the button also offers the sandbox. */
function PayoutRow({ id, onDone }: { id: number; onDone: () => void }) {
  const { data: store } = useResource<OperatorStore>(`stores/${id}`)
  if (store === null) return null
  const live = store.balances?.find(({ mode }) => mode === 'live')
  return (
    <li className="row">
      <div className="payout-store">
        <bdi>{store.name}</bdi>
        {live && (
          <span className="soft small">
            <Money amount={live.balance} currency={store.currency} />
          </span>
        )}
      </div>
      <MoveMoney kind="payout" store={store} onDone={onDone} />
    </li>
  )
}
