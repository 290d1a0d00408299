import { useState } from 'react'
import { Button, Field } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { useLanguage } from '../language.ts'
import { useAsked } from '../session.ts'
import { MoveMoney } from '../stores/MoveMoney.tsx'
import type { Store } from '../types.ts'

/** Which store is found first; then it is paid out as on its own page. */
export function Payout({ onDone }: { onDone: () => void }) {
  const { say } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{say('payOut')}</Button>
      <Dialog title={say('payOut')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Choose
          onDone={() => {
            setOpen(false)
            onDone()
          }}
        />
        <Button look="quiet" isWide onClick={() => setOpen(false)}>
          {say('leaveIt')}
        </Button>
      </Dialog>
    </>
  )
}

const MAX_FOUND = 5

function Choose({ onDone }: { onDone: () => void }) {
  const { say } = useLanguage()
  const [search, setSearch] = useState('')
  const query = `stores?limit=${MAX_FOUND}&search=${encodeURIComponent(search.trim())}`
  const found = useAsked<{ stores: Store[] }>(search.trim() === '' ? 'stores?limit=5' : query)
  return (
    <>
      <Field label={say('findStore')} value={search} onChange={setSearch} />
      <ul className="stack">
        {found.data?.stores.map(({ id, name }) => (
          <li key={id} className="found">
            <span dir="auto">{name}</span>
            <PayOutOf id={id} onDone={onDone} />
          </li>
        ))}
      </ul>
      {found.data?.stores.length === 0 && <p className="soft">{say('noStoreFound')}</p>}
    </>
  )
}

function PayOutOf({ id, onDone }: { id: number; onDone: () => void }) {
  const asked = useAsked<Store>(`stores/${id}`)
  return asked.data && <MoveMoney kind="payout" store={asked.data} onDone={onDone} />
}
