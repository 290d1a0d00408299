import { Copy } from '../kit/console/Copy.tsx'
import { Button } from '../kit/controls.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { useLanguage } from './language.ts'

export type Secret = readonly [name: string, value: string]

type Props = {
  title: string
  /** Null for none, which closes it. */
  secrets: readonly Secret[] | null
  onClose: () => void
}

/** What is shown this once and kept nowhere in plain. */
export function ShownOnce({ title, secrets, onClose }: Props) {
  const { say } = useLanguage()
  return (
    <Dialog title={title} isOpen={secrets !== null} onClose={onClose}>
      <p>{say('shownOnce')}</p>
      {secrets?.map(([name, value]) => (
        <div key={name} className="secret">
          <span className="small soft">{name}</span>
          <code>{value}</code>
          <Copy text={value} label={say('copyOf', { name })} />
        </div>
      ))}
      <Button isWide onClick={onClose}>
        {say('keptIt')}
      </Button>
    </Dialog>
  )
}
