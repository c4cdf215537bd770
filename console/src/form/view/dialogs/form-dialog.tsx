import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../controls.js';
import { useFormController } from '../form-controller.js';
import { formText } from '../form-text.js';

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
        <IconButton icon="remove" label={formText('close')} onClick={close} />
      </header>
      <div className="gh-dialog-body gf-dialog-body">{children}</div>
      {actions && <footer>{actions}</footer>}
    </dialog>
  );
}

export interface TextOutputProps {
  readonly text: string;
  readonly fileName: string;
  readonly type: string;
}

/** Copies a text to the clipboard, or saves it as a file. */
export function TextOutput({ text, fileName, type }: TextOutputProps): ReactNode {
  const [status, setStatus] = useState('');
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setStatus(formText('copied')),
      () => setStatus(formText('notCopied')),
    );
  };
  return (
    <>
      <Button onClick={copy}>{formText('copy')}</Button>
      <Button onClick={() => download({ text, fileName, type })}>{formText('download')}</Button>
      <span className="gf-quiet" role="status">
        {status}
      </span>
    </>
  );
}

function download({ text, fileName, type }: TextOutputProps): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser has read the file by then.
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
