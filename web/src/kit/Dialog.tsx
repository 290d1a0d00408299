import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'

type Props = {
  title: string
  isOpen: boolean
  /** While a request runs, neither Escape nor a press outside closes the dialog: that would look like a cancellation. */
  isBusy?: boolean
  onClose: () => void
  children: ReactNode
}

/** A modal dialog. Escape or a press outside calls `onClose`. When it closes, the focus goes back to where it was. */
export function Dialog({ title, isOpen, isBusy = false, onClose, children }: Props) {
  return (
    <ModalOverlay
      className="dialog-back"
      isOpen={isOpen}
      isDismissable={!isBusy}
      isKeyboardDismissDisabled={isBusy}
      onOpenChange={(open) => open || onClose()}
    >
      <Modal className="dialog">
        <AriaDialog className="dialog-body">
          <Heading slot="title" className="dialog-title">
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
