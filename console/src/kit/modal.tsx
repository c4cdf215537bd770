import { type ReactNode, useLayoutEffect, useRef } from 'react';

interface ModalProps {
  /** Accessible name. */
  readonly title: string;
  readonly className: string;
  readonly onClose: () => void;
  /** Selectors of the element that gets the focus, the best first; the browser chooses if none is there. */
  readonly focus?: readonly string[];
  readonly children: ReactNode;
}

/**
 * Renders a modal `<dialog>`. The focus moves into it, stays inside, and returns. Escape and a click beside the dialog close
 * it.
 */
export function Modal({ title, className, onClose, focus = [], children }: ModalProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect ends before the element leaves the page: only then does close() return the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    const [first] = focus.flatMap((selector) => element?.querySelector<HTMLElement>(selector) ?? []);
    first?.focus();
    return () => element?.close();
  }, []);
  // The focus stays in the dialog when the button that has it disappears.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) dialog.current?.focus();
  });
  // A press that begins in the dialog and ends beside it selects text.
  const pressed = useRef<EventTarget>(null);
  return (
    <dialog
      ref={dialog}
      className={className}
      tabIndex={-1}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        if (event.target === dialog.current) onClose();
      }}
      onPointerDown={({ target }) => {
        pressed.current = target;
      }}
      onClick={({ target }) => {
        if (target === dialog.current && pressed.current === target) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
