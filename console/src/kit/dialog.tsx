import { type ReactNode, useState } from 'react';
import { Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core/dist/esm/components/Modal';
import { Button } from './button.js';

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons; a close button is always present. */
  readonly actions?: ReactNode;
  readonly isWide?: boolean;
}

/** Renders a modal dialog. The focus moves into it, stays inside, and returns afterwards. */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  actions,
  isWide = false,
}: DialogProps): ReactNode {
  return (
    <Modal variant={isWide ? 'large' : 'small'} isOpen={isOpen} onClose={onClose} aria-label={title}>
      <ModalHeader title={title} />
      <ModalBody tabIndex={0} aria-label={title}>
        {children}
      </ModalBody>
      <ModalFooter>
        {actions}
        <Button kind="link" onPress={onClose}>
          {actions === undefined ? 'Close' : 'Cancel'}
        </Button>
      </ModalFooter>
    </Modal>
  );
}

export interface ConfirmButtonProps {
  /** Text of the button, and of the confirming button. */
  readonly verb: string;
  /** The question, with the effect of confirming. */
  readonly title: string;
  readonly children: ReactNode;
  readonly isDangerous?: boolean;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly onConfirm: () => void;
}

/** Renders a button that asks for confirmation and describes the effect. */
export function ConfirmButton(props: ConfirmButtonProps): ReactNode {
  const { verb, title, children, isDangerous = false, isBusy = false, isDisabled = false, onConfirm } = props;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const confirm = () => {
    close();
    onConfirm();
  };
  return (
    <>
      <Button
        kind={isDangerous ? 'danger' : 'secondary'}
        isBusy={isBusy}
        isDisabled={isDisabled}
        onPress={() => setOpen(true)}
      >
        {verb}
      </Button>
      <Dialog
        title={title}
        isOpen={isOpen}
        onClose={close}
        actions={
          <Button kind={isDangerous ? 'danger' : 'primary'} onPress={confirm}>
            {verb}
          </Button>
        }
      >
        {children}
      </Dialog>
    </>
  );
}
