import { Copy } from '../kit/console/Copy.tsx'
import { Button } from '../kit/controls.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Icon } from '../kit/display.tsx'

type Props = {
  title: string
  note: string
  texts: readonly (readonly [name: string, text: string])[]
  action: string
  close: () => void
}

/** What nobody can show again later: it stays until somebody says that they have it. */
export function ShownOnce({ title, note, texts, action, close }: Props) {
  return (
    <Dialog title={title} isOpen onClose={() => {}}>
      <p className="notice tone-pending">
        <Icon name="warning" />
        {note}
      </p>
      {texts.map(([name, text]) => (
        <div key={name} className="secret">
          <strong className="small">{name}</strong>
          <code className="code" dir="ltr">
            {text}
          </code>
          <div>
            <Copy text={text} />
          </div>
        </div>
      ))}
      <Button isWide onClick={close}>
        {action}
      </Button>
    </Dialog>
  )
}
