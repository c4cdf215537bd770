import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { textOf } from '../../../text/text.js';
import { useFormController } from '../form-controller.js';
import { Icon } from '../icon.js';

const formText = textOf('form');

interface FormDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons in the footer. */
  readonly actions?: ReactNode;
  readonly isWide?: boolean;
}

/** Elements that get the initial focus; without a match the browser chooses. */
const INITIAL_FOCUS = 'textarea, input:not([type=checkbox]), [data-kind=primary]';

/** A native dialog: the browser keeps the focus inside and restores it on close. */
export function FormDialog({ title, children, actions, isWide = false }: FormDialogProps): ReactNode {
  const controller = useFormController();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>(INITIAL_FOCUS)?.focus();
    return () => element?.close();
  }, []);
  const close = () => controller.showDialog(undefined);
  return (
    <dialog
      ref={dialog}
      className={isWide ? 'gh-dialog gh-dialog-wide gf-dialog' : 'gh-dialog gf-dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      // Keys, pastes and copies inside the dialog must not reach the form below.
      onKeyDown={(event) => event.stopPropagation()}
      onPaste={(event) => event.stopPropagation()}
      onCopy={(event) => event.stopPropagation()}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" className="gf-tool" aria-label={formText('close')} onClick={close}>
          <Icon name="remove" />
        </button>
      </header>
      <div className="gh-dialog-body gf-dialog-body">{children}</div>
      {actions && <footer>{actions}</footer>}
    </dialog>
  );
}
