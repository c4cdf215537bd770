import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useDesk } from '../form-controller.js';
import { Icon } from '../icon.js';

export interface FormDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons at the end. */
  readonly actions?: ReactNode;
  readonly isWide?: boolean;
}

/** What a person most likely wants to do first; else the browser chooses. */
const FIRST = 'textarea, input:not([type=checkbox]), .gf-primary';

/** A dialog of the browser: it keeps the focus, and gives it back to where it was. */
export function FormDialog({ title, children, actions, isWide = false }: FormDialogProps): ReactNode {
  const desk = useDesk();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>(FIRST)?.focus();
    return () => element?.close();
  }, []);
  const close = () => desk.show(undefined);
  return (
    <dialog
      ref={dialog}
      className={isWide ? 'gf-dialog gf-wide' : 'gf-dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      // Keys and pastes in here are not those of the form below.
      onKeyDown={(event) => event.stopPropagation()}
      onPaste={(event) => event.stopPropagation()}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" className="gf-tool" aria-label={desk.labels.close} onClick={close}>
          <Icon name="remove" />
        </button>
      </header>
      <div className="gf-dialog-body">{children}</div>
      {actions && <footer>{actions}</footer>}
    </dialog>
  );
}
