import type { IconName } from '@florin/shared/icons.js'
import { type ReactNode, useState } from 'react'
import { Button } from '../controls.tsx'
import { Dialog } from '../Dialog.tsx'
import { Icon, Notice, type ShownStatus } from '../display.tsx'
import { Form } from '../Form.tsx'
import { useAction } from '../form.ts'
import { useConsoleLanguage } from '../language.tsx'
import { ProblemNote } from '../problems.tsx'
import type { ApiResponse } from '../request.ts'
import { useCopy } from '../useCopy.ts'

type ConfirmDialogProps<Data> = {
  title: string
  /** The label of the button that runs the action, with the amount, if any. */
  confirmLabel: string
  isDanger?: boolean
  /** The label of the button that closes the dialog. By default, "Cancel". */
  dismissLabel?: string
  /** Why the action is not possible now. Disables the button. */
  blockedReason?: string | false
  /** The text for status 409, unless the refusal has a text of its own. */
  conflictText?: string | undefined
  /** The text if no response arrived, for an action that may have been carried out. */
  noResponseText?: string | undefined
  run: () => Promise<ApiResponse<Data>>
  onDone: (data: Data) => void
  onClose: () => void
  /** The fields, and the effect of the action in numbers. */
  children: ReactNode
}

/** Shows the effect of an action and asks once for confirmation. */
export function ConfirmDialog<Data>(props: ConfirmDialogProps<Data>) {
  const { title, confirmLabel, isDanger, blockedReason = false, onClose, children } = props
  const { translate } = useConsoleLanguage()
  const { isBusy, problem, start } = useAction(props.run, props.onDone)
  return (
    <Dialog title={title} isOpen isBusy={isBusy} onClose={onClose}>
      <Form onSubmit={() => blockedReason === false && start()} problem={problem} autoFocus>
        {children}
        {blockedReason !== false && <p className="soft">{blockedReason}</p>}
        {problem && (
          <ProblemNote
            problem={problem}
            conflictText={props.conflictText}
            noResponseText={props.noResponseText}
          />
        )}
        <div className="dialog-actions">
          <Button
            type="submit"
            isWide
            look={isDanger ? 'danger' : 'primary'}
            isBusy={isBusy}
            isDisabled={blockedReason !== false}
          >
            {confirmLabel}
          </Button>
          <Button look="quiet" isWide isDisabled={isBusy} onClick={onClose}>
            {props.dismissLabel ?? translate('cancel')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

type ActionButtonProps<Data> = Omit<
  ConfirmDialogProps<Data>,
  'title' | 'confirmLabel' | 'onDone' | 'onClose'
> & {
  label: string
  /** What the action applies to: "Revoke: Web shop" for screen readers, and as the title of the dialog. */
  subject?: string
  /** `caution` by default for a dangerous action, `quiet` for others. */
  look?: 'primary' | 'quiet'
  /** The title of the dialog. By default, the label and the subject. */
  title?: string
  /** The label of the button that runs the action. By default, `label`. */
  confirmLabel?: string
  onDone?: (data: Data) => void
  /** Called when the dialog opens, to reset its fields. */
  onOpen?: () => void
  /** Whether the dialog is open when the page is shown. */
  startsOpen?: boolean
}

/** A button that opens a `ConfirmDialog`. */
export function ActionButton<Data>(props: ActionButtonProps<Data>) {
  const { label, subject, onOpen, startsOpen = false, look, ...dialog } = props
  const [isOpen, setOpen] = useState(startsOpen)
  const name = subject === undefined ? label : `${label}: ${subject}`
  function open(): void {
    onOpen?.()
    setOpen(true)
  }
  return (
    <>
      <Button
        look={look ?? (props.isDanger ? 'caution' : 'quiet')}
        onClick={open}
        {...(subject !== undefined && { 'aria-label': name })}
      >
        {label}
      </Button>
      {isOpen && (
        <ConfirmDialog
          {...dialog}
          title={props.title ?? name}
          confirmLabel={props.confirmLabel ?? label}
          onClose={() => setOpen(false)}
          onDone={(data) => {
            setOpen(false)
            props.onDone?.(data)
          }}
        />
      )}
    </>
  )
}

type ActionMenuProps = {
  /** What the actions apply to: the title of the menu. */
  subject: string
  /** Returns the buttons, which call `close` when their action is done. */
  children: (close: () => void) => ReactNode
}

/** A button that opens a dialog with rarely used actions of a row. */
export function ActionMenu({ subject, children }: ActionMenuProps) {
  const { translate } = useConsoleLanguage()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button
        look="quiet"
        aria-label={`${translate('more')}: ${subject}`}
        onClick={() => setOpen(true)}
      >
        {translate('more')}
      </Button>
      <Dialog title={subject} isOpen={isOpen} onClose={close}>
        <div className="action-menu">
          {children(close)}
          <Button look="quiet" onClick={close}>
            {translate('close')}
          </Button>
        </div>
      </Dialog>
    </>
  )
}

type OneTimeSecretsProps = {
  title: string
  note: string
  /** Null closes the dialog. */
  secrets: readonly (readonly [name: string, value: string])[] | null
  /** The label of the button that closes the dialog. */
  closeLabel: string
  onClose: () => void
}

/** Secrets that the server shows only once. Neither Escape nor a press outside closes the dialog. */
export function OneTimeSecrets({ title, note, secrets, closeLabel, onClose }: OneTimeSecretsProps) {
  return (
    <Dialog title={title} isOpen={secrets !== null} onClose={() => {}}>
      <Notice tone="pending">{note}</Notice>
      {secrets?.map(([name, value]) => (
        <div key={name} className="secret">
          <strong className="small">{name}</strong>
          <code className="code" dir="ltr">
            {value}
          </code>
          <div>
            <CopyButton text={value} subject={name} />
          </div>
        </div>
      ))}
      <Button isWide onClick={onClose}>
        {closeLabel}
      </Button>
    </Dialog>
  )
}

type CopyButtonProps = { text: string; label?: string; subject?: string }

export function CopyButton({ text, label, subject }: CopyButtonProps) {
  const { translate } = useConsoleLanguage()
  const { copy, isCopied, outcome } = useCopy()
  const shown = outcome ?? label ?? translate('copy')
  return (
    <Button
      look="quiet"
      onClick={() => void copy(text)}
      {...(subject !== undefined && { 'aria-label': `${shown}: ${subject}` })}
    >
      <Icon name={isCopied ? 'completed' : 'copy'} />
      <span aria-live="polite">{shown}</span>
    </Button>
  )
}

export type Tone = 'good' | 'bad' | 'warn' | 'wait' | 'paused' | 'neutral'

/** The icon of each tone, and the status of payments with the same colour. */
const BADGES: Record<Tone, { icon: IconName; status: ShownStatus }> = {
  good: { icon: 'completed', status: 'completed' },
  bad: { icon: 'failed', status: 'failed' },
  warn: { icon: 'warning', status: 'expired' },
  wait: { icon: 'pending', status: 'pending' },
  paused: { icon: 'pause', status: 'refunded' },
  neutral: { icon: 'close', status: 'refunded' },
}

/** A state by icon, text and colour, like the status of a payment. */
export function Badge({ tone, text }: { tone: Tone; text: string }) {
  const { icon, status } = BADGES[tone]
  return (
    <span className={`status tone-${status}`}>
      <Icon name={icon} />
      {text}
    </span>
  )
}
