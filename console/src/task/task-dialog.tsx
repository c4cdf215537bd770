import { type ReactNode, useEffect, useId, useRef } from 'react';

interface TaskDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog: the browser keeps the focus inside, and returns it on close. */
export function TaskDialog({ title, onClose, children }: TaskDialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={dialog} className="gh-dialog gh-task-dialog" aria-labelledby={titleId} onClose={onClose}>
      <header>
        <h2 id={titleId}>{title}</h2>
      </header>
      <div className="gh-dialog-body">{children}</div>
    </dialog>
  );
}
