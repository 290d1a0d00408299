import { type FormEvent, useState } from 'react'
import { Button, Field } from '../kit/controls.tsx'
import { Icon } from '../kit/display.tsx'
import { useLanguage } from './language.ts'

type Props = { label: string; value: string; onSearch: (text: string) => void }

/** One line that finds something; emptied, it shows everything again. */
export function Search({ label, value, onSearch }: Props) {
  const { say } = useLanguage()
  const [text, setText] = useState(value)
  function send(event: FormEvent): void {
    event.preventDefault()
    onSearch(text.trim())
  }
  return (
    <search>
      <form className="search" onSubmit={send}>
        <Field label={label} value={text} onChange={setText} />
        <Button type="submit" look="quiet">
          <Icon name="search" />
          {say('find')}
        </Button>
      </form>
    </search>
  )
}
